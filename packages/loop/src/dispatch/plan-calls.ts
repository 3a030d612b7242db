import { isToolCall, type ToolCall } from "@fullstop/core";
import { validateInput } from "@fullstop/core/adapter";
import { unexpectedResult } from "../config/parse-waiting.ts";
import { listTools, runsElsewhere } from "../contract/tool.ts";
import { attemptKey, callKey, stepAt } from "../journal/keys.ts";
import { aborted, unlessAborted } from "../util/abort.ts";
import { jsonCopy } from "../util/values.ts";
import { afterAttempt } from "./attempt.ts";
import { decisionEvent, mayBeDenied, mayNeedDecision, type StoredRuling } from "./decision.ts";
import { isApprovalRequest } from "./native-tools.ts";
import { ask } from "./needs.ts";
import { type CallOutcome, neverStarted, notRun, unmade } from "./output.ts";
import {
  answerId,
  type CallPlan,
  type DispatchContext,
  type RunPlan,
  reply,
  reviewedCall,
} from "./plan.ts";

/** One after the other, before the first of the calls starts: they are one plan. */
export async function planCalls(
  calls: readonly ToolCall[],
  context: DispatchContext,
): Promise<readonly CallPlan[]> {
  const checked = await Promise.all(
    calls.map((call, position) => checkCall(call, callKey(context.turnKey, position), context)),
  );
  const plans: CallPlan[] = [];
  for (const one of checked) plans.push(await planCall(one, context));
  return plans;
}

/** Only the objects that the gate issued are calls: a copy does not run. */
async function checkCall(
  call: ToolCall,
  key: string,
  { config: { tools }, signal, declined }: DispatchContext,
): Promise<RunPlan> {
  const plan = { do: "run", call, key, tool: undefined, input: call.input, attempt: 1 } as const;
  const refuse = (refusal: CallOutcome): RunPlan => ({ ...plan, refusal });
  const reason = declined.get(call);
  if (!isToolCall(call)) return refuse(notRun(call, "the gate did not issue this call."));
  if (reason !== undefined) return refuse(notRun(call, reason));
  if (signal.aborted) return refuse(neverStarted(call, signal));
  if (isApprovalRequest(call, tools)) return plan;
  const tool = tools.get(call.name);
  if (tool === undefined)
    return refuse(unmade(`No tool is named "${call.name}". ${listTools(tools)}`));
  const verdict = await unlessAborted(validateInput(tool.inputSchema, call.input), signal);
  if (verdict === aborted) return refuse(neverStarted(call, signal));
  if (verdict.issues === undefined) return { ...plan, tool, input: verdict.value };
  const issues = verdict.issues.join("\n- ");
  return refuse(
    notRun(call, `its input is not valid. Correct the input and call it again.\n- ${issues}`),
  );
}

async function planCall(first: RunPlan, context: DispatchContext): Promise<CallPlan> {
  const plan = await findAttempt(first, context);
  if (plan.do !== "run") return plan;
  const { call, tool, refusal } = plan;
  if (refusal !== undefined) return reply(plan, refusal);
  const id = answerId(plan, context);
  const result = runsElsewhere(tool) ? await ask("result", plan, context) : undefined;
  if (result?.do === "reply") return result;
  // The tool got an `execute` while the run waited. It must not run what has run elsewhere.
  if (result === undefined && tool !== undefined && context.config.answers.results.has(id))
    throw new TypeError(unexpectedResult(id, call.name));
  const isAsked = mayNeedDecision(plan, id, context) || mayBeDenied(await decided(plan, context));
  return isAsked ? ask("decision", plan, context) : (result ?? plan);
}

/** In an earlier attempt of the run, whose options may have been others. */
async function decided(
  { key }: RunPlan,
  { lease }: DispatchContext,
): Promise<StoredRuling | undefined> {
  const recorded = await lease.recorded(stepAt("approval", key));
  return recorded?.state === "ended" ? (recorded.value as StoredRuling) : undefined;
}

/** Settles recorded attempts in doubt, and finds the answers to those that asked a person. */
async function findAttempt(first: RunPlan, context: DispatchContext): Promise<CallPlan> {
  let plan: CallPlan = first;
  while (plan.do === "run") {
    const step = stepAt("attempt", attemptKey(plan.key, plan.attempt));
    const recorded = await context.lease.recorded(step);
    if (recorded === undefined) return plan;
    plan =
      recorded.state === "begun"
        ? await ask("settlement", plan, context)
        : await replay(plan, recorded.value as CallOutcome, context);
  }
  return plan;
}

/** A result that the journal holds counts, even if the call would be declined today. */
async function replay(
  plan: RunPlan,
  outcome: CallOutcome,
  context: DispatchContext,
): Promise<CallPlan> {
  const { refusal, tool } = plan;
  const next = await afterAttempt(plan, { outcome, replayed: true }, context);
  if (next.do === "reply" && refusal === undefined && !runsElsewhere(tool))
    await reportDecision(plan, context);
  return next;
}

/** A call that has ended is not decided on: what was decided is reported once more. */
async function reportDecision(plan: RunPlan, context: DispatchContext): Promise<void> {
  const stored = await decided(plan, context);
  if (stored === undefined) return;
  const event = decisionEvent(jsonCopy(reviewedCall("decision", plan, context)), stored);
  if (event !== undefined) context.emit({ ...event, replayed: true });
}

/** In an earlier attempt of the run. The result of a tool that runs elsewhere does not count. */
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
