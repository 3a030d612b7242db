import type { ToolCall } from "@fullstop/core";
import type { StartRun } from "../config/agent-tool.ts";
import type { Tool } from "../config/tool.ts";
import { noLease } from "../journal/no-lease.ts";
import { journaled, type StepWork } from "../turn/journal.ts";
import { type Admission, neverStarted, type Postponement } from "./admission.ts";
import type { DispatchContext } from "./context.ts";
import { executeTool } from "./execution.ts";
import { nestedCall } from "./nested-call.ts";
import { type CallOutcome, errorOutcome, isToolOutcome, truncate } from "./output.ts";
import { settleDoubt } from "./settlement.ts";

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

/**
 * The result of a call, as a step of the journal. A result that the journal holds counts, even if
 * the call would be declined today. If the call is in doubt and did not happen, it is made again.
 */
export async function outcomeOfCall(
  admission: Admission,
  context: DispatchContext,
): Promise<ReportedOutcome | Postponement> {
  if ("recorded" in admission && admission.recorded !== undefined)
    return { outcome: admission.outcome, replayed: admission.recorded === "earlier" };
  for (let attempt = 1; ; attempt++) {
    const ended = await attemptCall(admission, attempt, context);
    if (ended !== "did-not-happen") return ended;
  }
}

/** The key of the call is the key of its first attempt, and the idempotency key of all of them. */
const attemptKey = (key: string, attempt: number): string =>
  attempt === 1 ? key : `${key}/attempt/${attempt}`;

async function attemptCall(
  admission: Admission,
  attempt: number,
  context: DispatchContext,
): Promise<ReportedOutcome | Postponement | "did-not-happen"> {
  const { lease, key, nested } = context;
  const stepKey = attemptKey(key, attempt);
  const progress: CallProgress = { replayed: true, postponed: undefined };
  const outcome = await journaled<CallOutcome | Postponement | "did-not-happen">(
    lease,
    { key: stepKey, kind: "tool" },
    {
      ...callWork(admission, progress, context),
      inDoubt: async () => {
        const { settlement, replayed } = await settleDoubt(admission, stepKey, context);
        progress.replayed = replayed;
        return settlement;
      },
    },
  );
  const { postponed, replayed } = progress;
  if (postponed !== undefined) return postponed;
  if (outcome === "did-not-happen" || "later" in outcome) return outcome;
  if (!isToolOutcome(outcome))
    throw new TypeError(`The journal returned no valid tool result for the step ${stepKey}.`);
  if (replayed && outcome.charges !== undefined) nested.charge(outcome.charges);
  return { outcome, replayed };
}

type CallWork = Required<
  Pick<StepWork<CallOutcome | Postponement | "did-not-happen">, "run" | "isTransient" | "tooLarge">
>;

/**
 * Runs the call. If the run is aborted, nothing is recorded: a call that had started is in doubt
 * then, and an idempotent one runs again.
 */
function callWork(
  admission: Admission,
  progress: CallProgress,
  context: DispatchContext,
): CallWork {
  const { config, signal, key, nested, lease } = context;
  const agent = nestedCall(nested, key);
  let isTransient = false;
  return {
    run: async (begin) => {
      progress.replayed = false;
      let isStarted = false;
      const onStart = async (): Promise<void> => {
        isStarted = true;
        if ("tool" in admission && hasEffects(admission.tool)) await begin();
      };
      const called = { ...context, onStart, start: agent.start };
      const outcome = truncate(await runCall(admission, called), config.limits.resultChars);
      const end = await agent.end();
      if (end?.outcome.status === "waiting" && lease !== noLease)
        progress.postponed = { later: end.outcome.calls };
      isTransient =
        progress.postponed !== undefined ||
        (signal.aborted && (!isStarted || agent.hasStarted() || outcome.inDoubt === true));
      return end === undefined ? outcome : { ...outcome, charges: end.charges };
    },
    isTransient: () => isTransient,
    tooLarge: () => tooLargeOutcome(admission.call, lease.maxStepBytes),
  };
}

const tooLargeOutcome = ({ name }: ToolCall, bytes = 0): CallOutcome =>
  errorOutcome(
    `${name} finished, but its output is larger than the ${bytes} bytes that the journal takes, so it is lost. Do not call ${name} again only to see the output. Ask for a smaller part if it has an input for that.`,
  );

/** A tool with `ends` alone does nothing. */
const hasEffects = ({ idempotent, execute }: Tool): boolean => !idempotent && execute !== undefined;

interface StartContext extends DispatchContext {
  readonly start: StartRun;
  /** Called before the tool starts. */
  readonly onStart: () => Promise<void>;
}

/** The signal is checked again after each step that can take time or call the program's code. */
async function runCall(
  admission: Admission,
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
