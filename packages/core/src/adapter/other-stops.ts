import type { StopTable } from "../contract/stop-table.ts";
import { fieldsOf } from "../json/fields.ts";

/**
 * The words of all protocols for a reply that is not finished. A gateway leaves the word of the host
 * beside its own (maximhq/bifrost#4679), or writes it in place of its own (BerriAI/litellm#15714).
 * A reader adds this table to its own, whose rows count first. A word that says that a reply is
 * finished is not in it: another protocol may use it otherwise.
 *
 * - OpenAI: https://developers.openai.com/api/reference/resources/chat and `/responses`
 * - Anthropic: https://platform.claude.com/docs/en/build-with-claude/handling-stop-reasons
 * - Gemini: https://ai.google.dev/api/generate-content#FinishReason
 * - Converse: https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_MessageStopEvent.html
 */
export const unfinishedStops: StopTable = {
  length: "length",
  max_tokens: "length",
  MAX_TOKENS: "length",
  max_output_tokens: "length",
  incomplete: "length",
  model_context_window_exceeded: "context-window",
  pause_turn: "pause",
  refusal: "refusal",
  content_filter: "content-filter",
  content_filtered: "content-filter",
  guardrail_intervened: "content-filter",
  SAFETY: "content-filter",
  RECITATION: "content-filter",
  PROHIBITED_CONTENT: "content-filter",
  MALFORMED_FUNCTION_CALL: "malformed-tool-call",
  malformed_tool_use: "malformed-tool-call",
  error: "error",
  failed: "error",
  cancelled: { stop: "error", error: "cancelled" },
};

const stopMembers = ["finish_reason", "finishReason", "stop_reason", "stopReason", "status"];

/**
 * The stop words under the names of other protocols. `own`: the names that the protocol uses. Hosts
 * also write `null`, a number or a stop sequence there.
 */
export function otherStopWords(holder: unknown, own: readonly string[]): readonly string[] {
  const fields = fieldsOf(holder);
  const given = stopMembers.filter((name) => !own.includes(name)).map((name) => fields[name]);
  const details = "incomplete_details";
  if (!own.includes(details)) given.push(fieldsOf(fields[details])["reason"]);
  return given.filter((word) => typeof word === "string");
}

/** The words among them that say that the reply is not finished. They count beside the own word. */
export const unfinishedWords = (holder: unknown, own: readonly string[]): readonly string[] =>
  otherStopWords(holder, own).filter((word) => Object.hasOwn(unfinishedStops, word));
