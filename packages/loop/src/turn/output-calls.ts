import type { ToolCall, ToolMessage } from "@fullstop/core";
import { outputToolName, validateInput } from "@fullstop/core/adapter";
import type { RunConfig } from "../config/run-config.ts";
import { isOutputCall } from "./output-request.ts";

/**
 * Calls of the output tool that are not the only call of their reply, each with the reason for the
 * model: an object that was written before the results of other calls is not the answer.
 */
export function misplacedOutputCalls(
  calls: readonly ToolCall[],
  config: Pick<RunConfig, "output">,
): ReadonlyMap<ToolCall, string> {
  const outputCalls = calls.filter((call) => isOutputCall(call, config));
  if (calls.length < 2) return new Map();
  const reason =
    outputCalls.length === calls.length
      ? "it was called more than once in one reply. Call it once, with the whole answer."
      : "other calls came with it. Call it alone, after you have seen their results.";
  return new Map(outputCalls.map((call) => [call, reason]));
}

/** Why the object of these calls was not accepted. Undefined if they do not give one. */
export async function outputIssues(
  calls: readonly ToolCall[],
  { content }: ToolMessage,
  config: Pick<RunConfig, "output">,
): Promise<readonly string[] | undefined> {
  const { output } = config;
  const position = calls.findIndex((call) => isOutputCall(call, config));
  const call = calls[position];
  if (output === undefined || call === undefined) return undefined;
  if (calls.length > 1) return [`${outputToolName} was not the only call of the reply`];
  const verdict = await validateInput(output.schema, call.input);
  return "issues" in verdict ? verdict.issues : [String(content[position]?.content)];
}
