import type { Turn } from "@fullstop/core";
import { describeMissingOutput, outputToolName, validateInput } from "@fullstop/core/adapter";
import type { RunConfig } from "../config/run-config.ts";
import { type aborted, unlessAborted } from "../util/abort.ts";
import type { OutputMode } from "./output-request.ts";

/** What a finished reply without calls is worth, if `output` asks for an object. */
export type Answer =
  /** The schema accepted the object, and made this value of it. */
  | { readonly value: unknown }
  | { readonly issues: readonly string[] }
  /** The run was aborted while the schema checked the object. */
  | typeof aborted;

/** How an object was asked for, and what it must be. */
interface AskedOutput {
  readonly config: Pick<RunConfig, "output">;
  readonly outputMode: OutputMode | undefined;
}

/** Undefined if the reply is not finished, or if no object was asked for. */
export async function readAnswer(
  turn: Turn,
  { config: { output: asked }, outputMode }: AskedOutput,
  signal: AbortSignal,
): Promise<Answer | undefined> {
  if (turn.stopReason !== "stop" || asked === undefined || outputMode === undefined)
    return undefined;
  const { output } = turn;
  if (output !== undefined && "value" in output)
    return unlessAborted(validateInput(asked.schema, output.value), signal);
  const issue =
    outputMode === "tool"
      ? `the reply is text instead of a call of ${outputToolName}`
      : describeMissingOutput(turn);
  return { issues: [issue] };
}
