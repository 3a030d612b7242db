import { runsElsewhere } from "../contract/tool.ts";
import { attemptKey, stepAt } from "../journal/keys.ts";
import { parseStep } from "../journal/loop-lease.ts";
import { afterAttempt } from "./attempt.ts";
import { decisionEvent, type StoredRuling } from "./decision.ts";
import { ask } from "./needs.ts";
import { assertToolOutcome } from "./output.ts";
import { type CallPlan, type DispatchContext, type RunPlan, reviewedCall } from "./plan.ts";

/**
 * Goes through the attempts that the journal holds: settles those that are in doubt, and finds the
 * answers to those that asked a person.
 */
export async function findAttempt(first: RunPlan, context: DispatchContext): Promise<CallPlan> {
  let plan: CallPlan = first;
  while (plan.do === "run") {
    const step = stepAt("attempt", attemptKey(plan.key, plan.attempt));
    const recorded = await context.lease.read(step.key);
    if (recorded === undefined) return plan;
    plan =
      recorded.state === "begun"
        ? await ask("settlement", plan, context)
        : await replay(plan, parseStep(recorded.json, step), context);
  }
  return plan;
}

/** A result that the journal holds counts, even if the call would be declined today. */
async function replay(
  plan: RunPlan,
  outcome: unknown,
  context: DispatchContext,
): Promise<CallPlan> {
  const { key, attempt, refusal, tool } = plan;
  assertToolOutcome(outcome, attemptKey(key, attempt));
  const next = await afterAttempt(plan, { outcome, replayed: true }, context);
  if (next.do === "reply" && refusal === undefined && !runsElsewhere(tool))
    await reportDecision(plan, context);
  return next;
}

/** A call that has ended is not decided on: what was decided is reported once more. */
async function reportDecision(plan: RunPlan, context: DispatchContext): Promise<void> {
  const step = stepAt("approval", plan.key);
  const recorded = await context.lease.read(step.key);
  if (recorded?.state !== "ended") return;
  const stored = parseStep(recorded.json, step) as StoredRuling;
  const event = decisionEvent(reviewedCall("decision", plan, context), stored);
  if (event !== undefined) context.emit({ ...event, replayed: true });
}

/**
 * Whether calls of a turn that waits have run, in an earlier attempt of the run. The result of a
 * tool that runs elsewhere does not count.
 */
export async function haveRun(
  plans: readonly CallPlan[],
  { lease }: DispatchContext,
): Promise<boolean> {
  for (const { key, tool } of plans) {
    if (runsElsewhere(tool)) continue;
    for (const name of ["attempt", "nestedRun"] as const)
      if ((await lease.read(stepAt(name, key).key)) !== undefined) return true;
  }
  return false;
}
