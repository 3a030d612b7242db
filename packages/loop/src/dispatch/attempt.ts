import type { StartRun } from "../config/agent-tool.ts";
import type { Outcome } from "../contract/outcome.ts";
import type { Tool } from "../contract/tool.ts";
import { attemptKey, stepAt } from "../journal/keys.ts";
import { noLease, type Unrecorded, unrecorded } from "../journal/loop-lease.ts";
import type { NestedRun, NestedRuns } from "../turn/state.ts";
import { executeTool } from "./execution.ts";
import { ask, nothingHappened } from "./needs.ts";
import {
  type CallOutcome,
  neverStarted,
  stillWaiting,
  tooLargeOutcome,
  truncate,
} from "./output.ts";
import type { CallPlan, DispatchContext, ReplyPlan, RunPlan, WaitPlan } from "./plan.ts";

export async function carryOut(
  first: CallPlan,
  context: DispatchContext,
): Promise<ReplyPlan | WaitPlan> {
  let plan = first;
  while (plan.do === "run") plan = await makeAttempt(plan, context);
  return plan.do === "reply" ? record(plan, context) : plan;
}

async function record(plan: ReplyPlan, context: DispatchContext): Promise<ReplyPlan> {
  const { recordAs, outcome } = plan;
  const { lease, nested, signal, config } = context;
  if (plan.replayed && outcome.charges !== undefined) nested.charge(outcome.charges);
  if (recordAs === undefined || signal.aborted) return plan;
  const { value, replayed } = await lease.step(stepAt("attempt", recordAs), {
    run: async () => truncate(outcome, config.limits.resultChars),
    tooLarge: () => tooLargeOutcome(plan.call, lease),
  });
  return { ...plan, outcome: value, replayed };
}

async function makeAttempt(plan: RunPlan, context: DispatchContext): Promise<CallPlan> {
  const { lease } = context;
  const step = stepAt("attempt", attemptKey(plan.key, plan.attempt));
  const ended = await lease.step<CallOutcome, CallPlan>(step, {
    run: (begin) => callTool(plan, begin, context),
    tooLarge: ({ charges }) => ({
      ...tooLargeOutcome(plan.call, lease),
      ...(charges && { charges }),
    }),
  });
  return ended.isRecorded
    ? afterAttempt(plan, { outcome: ended.value, replayed: false }, context)
    : ended.value;
}

/** What a recorded attempt gave: a result, or a question of the tool to a person. */
export const afterAttempt = async (
  plan: RunPlan,
  { outcome, replayed }: Pick<ReplyPlan, "outcome" | "replayed">,
  context: DispatchContext,
): Promise<CallPlan> =>
  outcome.asks !== undefined && context.lease !== noLease
    ? ask("input", plan, context, outcome)
    : { ...plan, do: "reply", outcome, replayed };

/**
 * What is not recorded: a call of which a sub-agent waits, one in doubt that a policy settles, and
 * one that the abort of the run interrupted. If that one had started, it is in doubt for the next
 * attempt of the run; an idempotent one runs again.
 */
async function callTool(
  plan: RunPlan,
  begin: () => Promise<void>,
  context: DispatchContext,
): Promise<CallOutcome | Unrecorded<CallPlan>> {
  const { config, signal, lease, nested } = context;
  const agent = nestedCall(nested, plan.key);
  let hasBegun = false;
  const onStart = async (): Promise<void> => {
    if (!hasEffects(plan.tool)) return;
    await begin();
    hasBegun = true;
  };
  const started = await start(plan, { ...context, onStart, start: agent.start });
  const outcome = truncate(started, config.limits.resultChars);
  const end = await agent.end();
  if (end?.outcome.status === "waiting" && lease !== noLease)
    return unrecorded({
      ...plan,
      do: "wait",
      waitsFor: end.outcome.calls,
      ifAborted: stillWaiting,
    });
  if (signal.aborted) {
    if (hasBegun && outcome.ran === false) await recordThatNothingHappened(plan, context);
    if (outcome.ran === false || outcome.inDoubt || agent.hasStarted())
      return unrecorded({ ...plan, do: "reply", outcome, replayed: false });
  } else if (outcome.inDoubt && isSettledByPolicy(plan, context))
    return unrecorded(await ask("settlement", plan, context, outcome));
  return end === undefined ? outcome : { ...outcome, charges: end.charges };
}

/** The run was aborted after the beginning was recorded, and before the tool started. */
const recordThatNothingHappened = (
  { key, attempt }: RunPlan,
  { lease }: DispatchContext,
): Promise<void> =>
  lease.end(stepAt("settlement", attemptKey(key, attempt)), JSON.stringify(nothingHappened));

/** Without a policy the model gets the message at once. */
const isSettledByPolicy = ({ tool }: RunPlan, { config, lease }: DispatchContext): boolean =>
  config.settle !== undefined && lease !== noLease && hasEffects(tool);

/** A tool with `ends` alone does nothing. */
const hasEffects = (tool: Tool | undefined): boolean =>
  !tool?.idempotent && tool?.execute !== undefined;

interface StartContext extends DispatchContext {
  readonly start: StartRun;
  readonly onStart: () => Promise<void>;
}

/** The signal is checked again after each step that can take time or call the program's code. */
async function start(plan: RunPlan, context: StartContext): Promise<CallOutcome> {
  const { call, key } = plan;
  const { signal, emit, onStart } = context;
  if (signal.aborted) return neverStarted(call, signal);
  const inside = emit({ type: "tool-call", call, key });
  if (signal.aborted) return neverStarted(call, signal);
  await onStart();
  if (signal.aborted) return neverStarted(call, signal);
  const onProgress = (progress: unknown): void =>
    void emit({ type: "tool-progress", call, progress });
  return inside(() => executeTool(plan, { ...context, onProgress }));
}

export interface NestedCall {
  /** Rejects for options that cannot work, for a second sub-agent, and after the call ended. */
  readonly start: StartRun;
  readonly hasStarted: () => boolean;
  /** Waits for the sub-agent, also if the tool was given up. Rejects if its loop rejects. */
  readonly end: () => Promise<NestedEnd | undefined>;
}
export interface NestedEnd extends Pick<NestedRun, "charges"> {
  readonly outcome: Outcome;
}

export function nestedCall(runs: NestedRuns, key: string): NestedCall {
  let nested: NestedRun | undefined;
  let isOver = false;
  return {
    start: async (options, signal) => {
      if (isOver) throw new Error("the call has ended, so it cannot start a sub-agent any more.");
      if (nested !== undefined)
        throw new Error("a call may start one sub-agent. Use a tool for each of them.");
      nested = runs.start(options, { key, signal });
      return nested.outcome;
    },
    hasStarted: () => nested !== undefined,
    end: async () => {
      isOver = true;
      return nested && { outcome: await nested.outcome, charges: nested.charges };
    },
  };
}
