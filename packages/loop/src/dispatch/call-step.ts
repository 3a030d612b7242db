import type { ToolCall } from "@fullstop/core";
import type { StartRun } from "../config/agent-tool.ts";
import type { RunLease } from "../contract/journal.ts";
import type { ReviewedCall } from "../contract/ports.ts";
import type { GivenInput, Tool } from "../contract/tool.ts";
import { noLease, type StepWork } from "../journal/loop-lease.ts";
import { type Admission, type AdmittedStep, neverStarted, type Postponement } from "./admission.ts";
import { nextAttempt } from "./attempts.ts";
import type { DispatchContext } from "./context.ts";
import { executeTool } from "./execution.ts";
import { type NestedEnd, nestedCall } from "./nested-call.ts";
import {
  assertToolOutcome,
  type CallOutcome,
  errorOutcome,
  tooLargeOutcome,
  truncate,
  unknownOutcome,
} from "./output.ts";

export interface ReportedOutcome {
  readonly outcome: CallOutcome;
  readonly replayed: boolean;
}

/** What happened to a call during its step. */
interface CallProgress {
  /** Calls that wait inside: the call has no result yet. */
  postponed: Postponement | undefined;
  /** Its outcome is not known, and `journal.settle` is asked about it. */
  doubt: CallOutcome | undefined;
}

/** A call that waits, and its result if the run is aborted instead. */
export interface PostponedStep extends Postponement {
  readonly call: ToolCall;
  readonly ifAborted: CallOutcome;
}

/**
 * The result of a call, as a step of the journal. A result that the journal holds counts, even if
 * the call would be declined today.
 */
export async function outcomeOfCall(
  admission: Admission,
  context: DispatchContext,
): Promise<ReportedOutcome | PostponedStep> {
  if ("waitsFor" in admission) return heldStep(admission.call, admission.waitsFor);
  if ("recorded" in admission)
    return { outcome: admission.outcome, replayed: admission.recorded === "earlier" };
  for (let step = admission; ; ) {
    const ended = await makeAttempt(step, context);
    if (!("again" in ended)) return ended;
    step = { ...step, stepKey: nextAttempt(context.key, step.stepKey), given: ended.again };
  }
}

const heldStep = (call: ToolCall, waitsFor: ReviewedCall): PostponedStep => ({
  call,
  later: [waitsFor],
  hasRunOthers: true,
  ifAborted: waitsFor.needs === "settlement" ? unknownOutcome(call) : stillWaiting(call),
});

/** The call is made once more, with what a person gave the tool. */
interface AnotherAttempt {
  readonly again: GivenInput | undefined;
}

async function makeAttempt(
  admission: AdmittedStep,
  context: DispatchContext,
): Promise<ReportedOutcome | PostponedStep | AnotherAttempt> {
  const { lease, nested } = context;
  const { call, stepKey } = admission;
  const progress: CallProgress = { postponed: undefined, doubt: undefined };
  const { value: outcome, replayed } = await lease.step(
    { key: stepKey, kind: "tool" },
    callWork(admission, progress, context),
  );
  const { postponed, doubt } = progress;
  if (postponed !== undefined) return { ...postponed, call, ifAborted: stillWaiting(call) };
  assertToolOutcome(outcome, stepKey);
  const next = await afterAttempt(admission, { outcome, doubt }, context);
  if (next !== undefined) return next;
  if (replayed && outcome.charges !== undefined) nested.charge(outcome.charges);
  return { outcome, replayed };
}

/**
 * Asks the policy about a doubt, and a person for a tool. Undefined if the call has its result, or
 * if the run has no journal: then it cannot wait.
 */
async function afterAttempt(
  admission: AdmittedStep,
  { outcome, doubt }: Pick<ReportedOutcome, "outcome"> & Pick<CallProgress, "doubt">,
  context: DispatchContext,
): Promise<ReportedOutcome | PostponedStep | AnotherAttempt | undefined> {
  const { durable } = context;
  const { call, stepKey, given } = admission;
  if (durable === undefined) return undefined;
  if (doubt !== undefined) {
    const settled = await durable.settleAttempt(admission, stepKey, context, doubt);
    if (settled === "did-not-happen") return { again: given };
    if ("waitsFor" in settled) return heldStep(call, settled.waitsFor);
    return { outcome: settled.outcome, replayed: false };
  }
  if (outcome.asks === undefined) return undefined;
  const answer = await durable.askedInput(admission, outcome.asks, stepKey, context);
  return "waitsFor" in answer ? heldStep(call, answer.waitsFor) : { again: answer };
}

const stillWaiting = ({ name }: ToolCall): CallOutcome =>
  errorOutcome(`${name} did not finish: the run was aborted while it waited.`);

/**
 * Runs the call. If the run is aborted, nothing is recorded: a call that had started is in doubt
 * then, and an idempotent one runs again.
 */
function callWork(
  admission: AdmittedStep,
  progress: CallProgress,
  context: DispatchContext,
): StepWork<CallOutcome> {
  const { config, signal, key, nested, lease, durable } = context;
  const agent = nestedCall(nested, key);
  let isInterrupted = false;
  return {
    run: async (begin) => {
      let hasBegun = false;
      const onStart = async (): Promise<void> => {
        if (!("tool" in admission) || !hasEffects(admission.tool)) return;
        await begin();
        hasBegun = true;
      };
      const called = { ...context, onStart, start: agent.start };
      const outcome = truncate(await runCall(admission, called), config.limits.resultChars);
      const end = await agent.end();
      progress.postponed = postponementBy(end, lease);
      if (signal.aborted) {
        isInterrupted = isUnfinished(outcome) || agent.hasStarted();
        if (hasBegun && outcome.ran === false)
          await durable?.recordThatNothingHappened(admission, lease);
      } else if (isSettledByPolicy(admission, outcome, context)) progress.doubt = outcome;
      return end === undefined ? outcome : { ...outcome, charges: end.charges };
    },
    isTransient: () =>
      isInterrupted || progress.postponed !== undefined || progress.doubt !== undefined,
    tooLarge: ({ charges }) => ({
      ...tooLargeOutcome(admission.call, lease),
      ...(charges && { charges }),
    }),
  };
}

/** The calls that a sub-agent waits for. Without a journal it cannot wait. */
const postponementBy = (end: NestedEnd | undefined, lease: RunLease): CallProgress["postponed"] =>
  end?.outcome.status === "waiting" && lease !== noLease
    ? { later: end.outcome.calls, hasRunOthers: true }
    : undefined;

const isUnfinished = ({ ran, inDoubt }: CallOutcome): boolean => ran === false || inDoubt === true;

/** Without a policy the model gets the message at once. */
const isSettledByPolicy = (
  admission: AdmittedStep,
  { inDoubt }: CallOutcome,
  { config, lease }: DispatchContext,
): boolean =>
  inDoubt === true &&
  config.settle !== undefined &&
  lease !== noLease &&
  "tool" in admission &&
  hasEffects(admission.tool);

/** A tool with `ends` alone does nothing. */
const hasEffects = ({ idempotent, execute }: Tool): boolean => !idempotent && execute !== undefined;

interface StartContext extends DispatchContext {
  readonly start: StartRun;
  /** Called before the tool starts. */
  readonly onStart: () => Promise<void>;
}

/** The signal is checked again after each step that can take time or call the program's code. */
async function runCall(
  admission: AdmittedStep,
  { signal, emit, key, notice, start, onStart }: StartContext,
): Promise<CallOutcome> {
  const { call } = admission;
  if ("outcome" in admission) return admission.outcome;
  if (signal.aborted) return neverStarted(call, signal).outcome;
  emit({ type: "tool-call", call, key });
  if (signal.aborted) return neverStarted(call, signal).outcome;
  await onStart();
  if (signal.aborted) return neverStarted(call, signal).outcome;
  const onProgress = (progress: unknown): void => emit({ type: "tool-progress", call, progress });
  const { given } = admission;
  return executeTool(admission, { signal, idempotencyKey: key, given, notice, onProgress, start });
}
