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
 * - Mistral: https://docs.mistral.ai/api
 * - Cohere: https://docs.cohere.com/reference/chat-stream
 * - Z.ai: https://docs.z.ai/api-reference/llm/chat-completion
 * - DeepSeek: https://api-docs.deepseek.com/api/create-chat-completion
 * - vLLM: https://github.com/vllm-project/vllm/blob/main/vllm/v1/engine/__init__.py
 */
export const unfinishedStops: StopTable = {
  length: "length",
  max_tokens: "length",
  MAX_TOKENS: "length",
  max_output_tokens: "length",
  incomplete: "length",
  model_length: "context-window",
  model_context_window_exceeded: "context-window",
  pause_turn: "pause",
  refusal: "refusal",
  content_filter: "content-filter",
  content_filtered: "content-filter",
  guardrail_intervened: "content-filter",
  sensitive: "content-filter",
  SAFETY: "content-filter",
  RECITATION: "content-filter",
  BLOCKLIST: "content-filter",
  SPII: "content-filter",
  PROHIBITED_CONTENT: "content-filter",
  MALFORMED_FUNCTION_CALL: "malformed-tool-call",
  UNEXPECTED_TOOL_CALL: "malformed-tool-call",
  malformed_tool_use: "malformed-tool-call",
  /** It can occur anywhere, so the calls before it may be half a plan. */
  stop_sequence: { stop: "stop", calls: "never" },
  STOP_SEQUENCE: { stop: "stop", calls: "never" },
  error: "error",
  ERROR: "error",
  TIMEOUT: { stop: "error", error: "timeout" },
  abort: "error",
  failed: "error",
  network_error: "error",
  insufficient_system_resource: { stop: "error", error: "overloaded" },
  malformed_model_output: "error",
  MALFORMED_RESPONSE: "error",
  LANGUAGE: "error",
  OTHER: "error",
  cancelled: { stop: "error", error: "cancelled" },
};

const stopMembers = [
  "finish_reason",
  "finishReason",
  "stop_reason",
  "stopReason",
  "done_reason",
  "status",
  "incomplete_details",
] as const;
const noWords: readonly string[] = [];

/**
 * The stop words under the names of other protocols. `own`: the names that the protocol uses. Hosts
 * also write `null`, a number or a stop sequence there.
 */
export function otherStopWords(holder: unknown, own: readonly string[]): readonly string[] {
  const fields = fieldsOf(holder);
  let words: string[] | undefined;
  // Every event of a reply comes here, and most have none.
  for (const name of stopMembers) {
    const value = fields[name];
    if (value === undefined || value === null || own.includes(name)) continue;
    const word = name === "incomplete_details" ? fieldsOf(value)["reason"] : value;
    if (typeof word !== "string") continue;
    words ??= [];
    words.push(word);
  }
  return words ?? noWords;
}

/** The words among them that say that the reply is not finished. They count beside the own word. */
export function unfinishedWords(holder: unknown, own: readonly string[]): readonly string[] {
  const words = otherStopWords(holder, own);
  return words.length === 0 ? words : words.filter((word) => Object.hasOwn(unfinishedStops, word));
}
