import type { ToolCall, ToolMessage, ToolResultBlock } from "@fullstop/core";
import type { StartRun } from "../config/agent-tool.ts";
import { noJournal } from "../config/parse-journal.ts";
import type { BeginStep } from "../config/ports.ts";
import type { EventBody } from "../event.ts";
import { journaled } from "../turn/journal.ts";
import type { NestedRuns } from "../turn/state.ts";
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
import { nestedCall } from "./nested-call.ts";
import {
  errorOutcome,
  isToolOutcome,
  type StoredOutcome,
  type ToolOutcome,
  truncate,
} from "./output.ts";

export interface DispatchContext extends AdmissionContext {
  readonly emit: (event: EventBody) => void;
  readonly nested: NestedRuns;
}

/**
 * Runs the calls of a turn, at the same time if their tools allow it. Every call gets one result,
 * in the order of the calls.
 */
export async function dispatch(
  calls: readonly ToolCall[],
  context: DispatchContext,
): Promise<ToolMessage | Postponement> {
  const admitted = await admitCalls(calls, context);
  if ("later" in admitted) return admitted;
  const jobs = admitted.map((one, position) => ({
    exclusive: "tool" in one && (one.tool.exclusive ?? false),
    run: async () => {
      const key = `${context.key}/${position + 1}`;
      const outcome = await outcomeOfCall(one, { ...context, key });
      return "later" in outcome ? outcome : emitResult(one, outcome, context);
    },
  }));
  const results = await runJobs(jobs, context.config.limits.concurrency);
  const content = results.flatMap((one) => ("later" in one ? [] : [one]));
  const later = results.flatMap((one) => ("later" in one ? one.later : []));
  return later.length > 0 ? { later } : { role: "tool", content };
}

function emitResult(
  admission: Admission,
  { content, isError }: ToolOutcome,
  { emit }: DispatchContext,
): ToolResultBlock {
  const { call } = admission;
  const result = deepFreeze<ToolResultBlock>({
    type: "tool-result",
    id: call.id,
    name: call.name,
    content,
    ...(isError && { isError }),
  });
  emit({ type: "tool-result", call, result, ran: "tool" in admission });
  return result;
}

/**
 * A result that the journal holds counts, even if the call would be declined today. If a sub-agent
 * waits for decisions, its call has no result yet.
 */
async function outcomeOfCall(
  admission: Admission,
  context: DispatchContext,
): Promise<ToolOutcome | Postponement> {
  const { config, signal, key, nested } = context;
  const agent = nestedCall(nested, key);
  let isStarted = false;
  let isLive = false;
  let postponed: Postponement | undefined;
  const run = async (begin: BeginStep): Promise<StoredOutcome> => {
    isLive = true;
    const onStart = async (): Promise<void> => {
      isStarted = true;
      if ("tool" in admission && !admission.tool.idempotent) await begin();
    };
    const called = { ...context, onStart, start: agent.start };
    const outcome = truncate(await runCall(admission, called), config.limits.resultChars);
    const end = await agent.end();
    if (end?.outcome.status === "waiting" && config.journal !== noJournal)
      postponed = { later: end.outcome.calls };
    return end === undefined ? outcome : { ...outcome, charges: end.charges };
  };
  const outcome = await journaled(
    config.journal,
    { key, kind: "tool" },
    {
      run,
      isTransient: () =>
        postponed !== undefined || (signal.aborted && (!isStarted || agent.hasStarted())),
      inDoubt: () => inDoubtOutcome(admission.call),
    },
  );
  if (postponed !== undefined) return postponed;
  if (!isToolOutcome(outcome))
    throw new TypeError(`The journal returned no valid tool result for the step ${key}.`);
  if (!isLive && outcome.charges !== undefined) nested.charge(outcome.charges);
  return outcome;
}

const inDoubtOutcome = ({ name }: ToolCall): ToolOutcome =>
  errorOutcome(
    `${name} had started when the run was stopped, and its result was not recorded. Its outcome is unknown. Check what it did before you call ${name} again.`,
  );

interface StartContext extends DispatchContext {
  readonly start: StartRun;
  /** Called before the tool starts. */
  readonly onStart: () => Promise<void>;
}

/** The signal is checked again after each step that can take time or call the program's code. */
async function runCall(
  admission: Admission,
  { signal, emit, key, start, onStart }: StartContext,
): Promise<ToolOutcome> {
  const { call } = admission;
  if ("outcome" in admission) return admission.outcome;
  if (signal.aborted) return neverStarted(call, signal).outcome;
  emit({ type: "tool-call", call });
  if (signal.aborted) return neverStarted(call, signal).outcome;
  await onStart();
  return signal.aborted
    ? neverStarted(call, signal).outcome
    : executeTool(admission, { signal, idempotencyKey: key, start });
}
