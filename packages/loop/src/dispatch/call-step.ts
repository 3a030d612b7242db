import type { ToolCall } from "@fullstop/core";
import type { StartRun } from "../config/agent-tool.ts";
import type { Tool } from "../config/tool.ts";
import { noLease } from "../journal/no-lease.ts";
import { journaled, type StepWork } from "../turn/journal.ts";
import { type Admission, type AdmittedStep, neverStarted, type Postponement } from "./admission.ts";
import type { DispatchContext } from "./context.ts";
import { executeTool } from "./execution.ts";
import { nestedCall } from "./nested-call.ts";
import {
  assertToolOutcome,
  type CallOutcome,
  errorOutcome,
  tooLargeOutcome,
  truncate,
} from "./output.ts";
import { recordThatNothingHappened, unknownOutcome } from "./settlement.ts";

export interface ReportedOutcome {
  readonly outcome: CallOutcome;
  readonly replayed: boolean;
}

/** What happened to a call during its step. */
interface CallProgress {
  /** The result comes from the journal. */
  replayed: boolean;
  /** Calls that wait inside: the call has no result yet. */
  postponed: Postponement | undefined;
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
  if ("doubt" in admission) {
    const { call, doubt } = admission;
    return { call, later: [doubt], hasRunOthers: true, ifAborted: unknownOutcome(call) };
  }
  if ("recorded" in admission)
    return { outcome: admission.outcome, replayed: admission.recorded === "earlier" };
  return makeCall(admission, context);
}

async function makeCall(
  admission: AdmittedStep,
  context: DispatchContext,
): Promise<ReportedOutcome | PostponedStep> {
  const { lease, nested } = context;
  const { call, stepKey } = admission;
  const progress: CallProgress = { replayed: true, postponed: undefined };
  const outcome = await journaled(
    lease,
    { key: stepKey, kind: "tool" },
    callWork(admission, progress, context),
  );
  const { postponed, replayed } = progress;
  if (postponed !== undefined) return { ...postponed, call, ifAborted: stillWaiting(call) };
  assertToolOutcome(outcome, stepKey);
  if (replayed && outcome.charges !== undefined) nested.charge(outcome.charges);
  return { outcome, replayed };
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
  const { config, signal, key, nested, lease } = context;
  const agent = nestedCall(nested, key);
  let isTransient = false;
  return {
    run: async (begin) => {
      progress.replayed = false;
      let isStarted = false;
      let hasBegun = false;
      const onStart = async (): Promise<void> => {
        isStarted = true;
        if (!("tool" in admission) || !hasEffects(admission.tool)) return;
        await begin();
        hasBegun = true;
      };
      const called = { ...context, onStart, start: agent.start };
      const outcome = truncate(await runCall(admission, called), config.limits.resultChars);
      const end = await agent.end();
      if (end?.outcome.status === "waiting" && lease !== noLease)
        progress.postponed = { later: end.outcome.calls, hasRunOthers: true };
      const hasNotRun = !isStarted || outcome.ran === false;
      if (signal.aborted && hasNotRun && hasBegun)
        await recordThatNothingHappened(admission, lease);
      isTransient =
        progress.postponed !== undefined ||
        (signal.aborted && (hasNotRun || agent.hasStarted() || outcome.inDoubt === true));
      return end === undefined ? outcome : { ...outcome, charges: end.charges };
    },
    isTransient: () => isTransient,
    tooLarge: () => tooLargeOutcome(admission.call, lease),
  };
}

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
  emit({ type: "tool-call", call });
  if (signal.aborted) return neverStarted(call, signal).outcome;
  await onStart();
  if (signal.aborted) return neverStarted(call, signal).outcome;
  const onProgress = (progress: unknown): void => emit({ type: "tool-progress", call, progress });
  return executeTool(admission, { signal, idempotencyKey: key, notice, onProgress, start });
}
