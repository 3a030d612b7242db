import type { ToolCall, ToolMessage, ToolResultBlock } from "@fullstop/core";
import { freezeDeep } from "@fullstop/core/adapter";
import type { Tool } from "../contract/tool.ts";
import { type Admission, admitCalls, type Postponement } from "./admission.ts";
import { outcomeOfCall, type PostponedStep, type ReportedOutcome } from "./call-step.ts";
import type { DispatchContext } from "./context.ts";
import { type Job, runJobs } from "./jobs.ts";

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
  const jobs = admitted.map((one, position) =>
    toJob(one, { ...context, key: `${context.key}/${position + 1}` }),
  );
  const ended = await runJobs(jobs, context.config.limits.concurrency);
  const later = ended.flatMap((one) => ("later" in one ? one.later : []));
  if (later.length > 0 && !context.signal.aborted) return { later, hasRunOthers: true };
  const content = ended.map((one) => ("later" in one ? emitUnanswered(one, context) : one));
  return { results: { role: "tool", content }, ended: firstEnding(admitted, content) };
}

/** An aborted run does not wait: the turn joins the conversation, because other calls have run. */
const emitUnanswered = (
  { call, ifAborted: outcome }: PostponedStep,
  context: DispatchContext,
): ToolResultBlock => emitResult(call, { outcome, replayed: false }, context);

const toolOf = (admission: Admission): Tool | undefined =>
  "tool" in admission ? admission.tool : undefined;

/**
 * The first call of a tool with `ends` that succeeded. An input that its tool completed after a cut
 * is not the model's answer.
 */
function firstEnding(
  admitted: readonly Admission[],
  content: readonly ToolResultBlock[],
): AnsweredTurn["ended"] {
  for (const [position, one] of admitted.entries())
    if (
      "input" in one &&
      toolOf(one)?.ends &&
      one.call.by !== "loop" &&
      !content[position]?.isError
    )
      return { output: one.input };
  return undefined;
}

function toJob(
  admission: Admission,
  context: DispatchContext,
): Job<ToolResultBlock | PostponedStep> {
  const tool = toolOf(admission);
  return {
    exclusive: tool?.exclusive ?? false,
    limit: tool?.concurrency === undefined ? undefined : { of: tool, max: tool.concurrency },
    run: async () => {
      const ended = await outcomeOfCall(admission, context);
      return "later" in ended ? ended : emitResult(admission.call, ended, context);
    },
  };
}

function emitResult(
  call: ToolCall,
  { outcome, replayed }: ReportedOutcome,
  { emit }: DispatchContext,
): ToolResultBlock {
  const result = freezeDeep<ToolResultBlock>({
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
    ...(outcome.timedOut && { timedOut: true }),
    ...(replayed && { replayed }),
  });
  return result;
}
