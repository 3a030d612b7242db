import type { ToolCall, ToolMessage, ToolResultBlock } from "@fullstop/core";
import type { BeginStep } from "../config/ports.ts";
import type { EventBody } from "../event.ts";
import { journaled } from "../turn/journal.ts";
import { deepFreeze } from "../util/values.ts";
import {
  type Admission,
  type AdmissionContext,
  admitCalls,
  neverStarted,
  type Postponement,
} from "./admission.ts";
import { executeTool } from "./execution.ts";
import { runJobs } from "./jobs.ts";
import { errorOutcome, isToolOutcome, type ToolOutcome, truncate } from "./output.ts";

export interface DispatchContext extends AdmissionContext {
  readonly emit: (event: EventBody) => void;
}

/** The results of a turn. */
export interface AnsweredTurn {
  readonly results: ToolMessage;
  /** A call ended the run. `output` is its validated input. */
  readonly ended: { readonly output: unknown } | undefined;
}

/**
 * Runs the calls of a turn, at the same time if their tools allow it. Every call gets one result,
 * in the order of the calls.
 */
export async function dispatch(
  calls: readonly ToolCall[],
  context: DispatchContext,
): Promise<AnsweredTurn | Postponement> {
  const admitted = await admitCalls(calls, context);
  if ("later" in admitted) return admitted;
  const jobs = admitted.map((one, position) => ({
    exclusive: "tool" in one && (one.tool.exclusive ?? false),
    run: async () => {
      const key = `${context.key}/${position + 1}`;
      return emitResult(one, await outcomeOfCall(one, { ...context, key }), context);
    },
  }));
  const content = await runJobs(jobs, context.config.limits.concurrency);
  return { results: { role: "tool", content }, ended: firstEnding(admitted, content) };
}

/**
 * The first call of a tool with `ends` that succeeded. An input that its tool completed after a cut
 * is not the model's answer.
 */
function firstEnding(
  admitted: readonly Admission[],
  content: readonly ToolResultBlock[],
): AnsweredTurn["ended"] {
  for (const [position, one] of admitted.entries())
    if ("tool" in one && one.tool.ends && one.call.by !== "loop" && !content[position]?.isError)
      return { output: one.input };
  return undefined;
}

function emitResult(
  admission: Admission,
  outcome: ToolOutcome,
  { emit }: DispatchContext,
): ToolResultBlock {
  const { call } = admission;
  const result = deepFreeze<ToolResultBlock>({
    type: "tool-result",
    id: call.id,
    name: call.name,
    ...outcome,
  });
  emit({ type: "tool-result", call, result, ran: "tool" in admission });
  return result;
}

/** A result that the journal holds counts, even if the call would be declined today. */
async function outcomeOfCall(admission: Admission, context: DispatchContext): Promise<ToolOutcome> {
  const { config, signal, key } = context;
  let isStarted = false;
  const run = async (begin: BeginStep): Promise<ToolOutcome> => {
    const onStart = async (): Promise<void> => {
      isStarted = true;
      if ("tool" in admission && !admission.tool.idempotent) await begin();
    };
    return truncate(await runCall(admission, context, onStart), config.limits.resultChars);
  };
  const outcome = await journaled(
    config.journal,
    { key, kind: "tool" },
    {
      run,
      isTransient: () => signal.aborted && !isStarted,
      inDoubt: () => inDoubtOutcome(admission.call),
    },
  );
  if (!isToolOutcome(outcome))
    throw new TypeError(`The journal returned no valid tool result for the step ${key}.`);
  return outcome;
}

const inDoubtOutcome = ({ name }: ToolCall): ToolOutcome =>
  errorOutcome(
    `${name} had started when the run was stopped, and its result was not recorded. Its outcome is unknown. Check what it did before you call ${name} again.`,
  );

/** The signal is checked again after each step that can take time or call the program's code. */
async function runCall(
  admission: Admission,
  { signal, emit, key }: DispatchContext,
  onStart: () => Promise<void>,
): Promise<ToolOutcome> {
  const { call } = admission;
  if ("outcome" in admission) return admission.outcome;
  if (signal.aborted) return neverStarted(call, signal).outcome;
  emit({ type: "tool-call", call });
  if (signal.aborted) return neverStarted(call, signal).outcome;
  await onStart();
  return signal.aborted
    ? neverStarted(call, signal).outcome
    : executeTool(admission, { signal, idempotencyKey: key });
}
