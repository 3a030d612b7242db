import type { ToolCall, ToolMessage, ToolResultBlock } from "@fullstop/core";
import type { StartRun } from "../config/agent-tool.ts";
import { noJournal } from "../config/parse-journal.ts";
import type { BeginStep } from "../config/ports.ts";
import type { Tool } from "../config/tool.ts";
import { journaled } from "../turn/journal.ts";
import { deepFreeze } from "../util/values.ts";
import { type Admission, admitCalls, neverStarted, type Postponement } from "./admission.ts";
import type { DispatchContext } from "./context.ts";
import { executeTool } from "./execution.ts";
import { type Job, runJobs } from "./jobs.ts";
import { nestedCall } from "./nested-call.ts";
import { type CallOutcome, errorOutcome, isToolOutcome, truncate } from "./output.ts";

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
  const jobs = admitted.map((one, position) => {
    const key = `${context.key}/${position + 1}`;
    return toJob(one, { ...context, key });
  });
  const ended = await runJobs(jobs, context.config.limits.concurrency);
  const later = ended.flatMap((one) => ("later" in one ? one.later : []));
  if (later.length > 0) return { later, areInside: true };
  const content = ended.flatMap((one) => ("later" in one ? [] : [one]));
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

function toJob(
  admission: Admission,
  context: DispatchContext,
): Job<ToolResultBlock | Postponement> {
  const tool = "tool" in admission ? admission.tool : undefined;
  return {
    exclusive: tool?.exclusive ?? false,
    limit: tool?.concurrency === undefined ? undefined : { of: tool, max: tool.concurrency },
    run: async () => {
      const ended = await outcomeOfCall(admission, context);
      return "later" in ended ? ended : emitResult(admission.call, ended, context);
    },
  };
}

interface ReportedOutcome {
  readonly outcome: CallOutcome;
  readonly replayed: boolean;
}

function emitResult(
  call: ToolCall,
  { outcome, replayed }: ReportedOutcome,
  { emit }: DispatchContext,
): ToolResultBlock {
  const result = deepFreeze<ToolResultBlock>({
    type: "tool-result",
    id: call.id,
    name: call.name,
    content: outcome.content,
    ...(outcome.isError && { isError: true }),
  });
  emit({
    type: "tool-result",
    call,
    result,
    ran: outcome.ran ?? true,
    ...(outcome.inDoubt && { inDoubt: true }),
    ...(replayed && { replayed }),
  });
  return result;
}

/**
 * A result that the journal holds counts, even if the call would be declined today. If a sub-agent
 * waits for decisions, its call has no result yet.
 */
async function outcomeOfCall(
  admission: Admission,
  context: DispatchContext,
): Promise<ReportedOutcome | Postponement> {
  if ("recorded" in admission && admission.recorded !== undefined)
    return { outcome: admission.outcome, replayed: admission.recorded === "earlier" };
  const { config, signal, key, nested } = context;
  const agent = nestedCall(nested, key);
  let replayed = true;
  let isStarted = false;
  let postponed: Postponement | undefined;
  const run = async (begin: BeginStep): Promise<CallOutcome> => {
    replayed = false;
    const onStart = async (): Promise<void> => {
      isStarted = true;
      if ("tool" in admission && hasEffects(admission.tool)) await begin();
    };
    const called = { ...context, onStart, start: agent.start };
    const outcome = truncate(await runCall(admission, called), config.limits.resultChars);
    const end = await agent.end();
    if (end?.outcome.status === "waiting" && config.journal !== noJournal)
      postponed = { later: end.outcome.calls };
    return end === undefined ? outcome : { ...outcome, charges: end.charges };
  };
  const isTransient = (): boolean =>
    postponed !== undefined || (signal.aborted && (!isStarted || agent.hasStarted()));
  const inDoubt = (): CallOutcome => {
    replayed = false;
    return inDoubtOutcome(admission.call);
  };
  const outcome = await journaled(
    config.journal,
    { key, kind: "tool" },
    { run, isTransient, inDoubt },
  );
  if (postponed !== undefined) return postponed;
  if (!isToolOutcome(outcome))
    throw new TypeError(`The journal returned no valid tool result for the step ${key}.`);
  if (replayed && outcome.charges !== undefined) nested.charge(outcome.charges);
  return { outcome, replayed };
}

/** A tool with `ends` alone does nothing. */
const hasEffects = ({ idempotent, execute }: Tool): boolean => !idempotent && execute !== undefined;

const inDoubtOutcome = ({ name }: ToolCall): CallOutcome => ({
  ...errorOutcome(
    `${name} had started when the run was stopped, and its result was not recorded. Its outcome is unknown. Check what it did before you call ${name} again.`,
  ),
  inDoubt: true,
});

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
