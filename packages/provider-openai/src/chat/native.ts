import type { StopTable } from "@fullstop/core";
import type { Claim } from "@fullstop/core/adapter";

/** The member of a choice in which a gateway says the word of the provider behind it, and the key of such words in the table. */
export const nativeWord = "native_finish_reason";

/** Words of providers for a reply that is not finished. All other words leave it to `finish_reason`. */
const words: Readonly<Record<string, Claim>> = {
  length: "length",
  max_tokens: "length",
  max_output_tokens: "length",
  MAX_TOKENS: "length",
  model_length: "context-window",
  model_context_window_exceeded: "context-window",
  content_filter: "content-filter",
  content_filtered: "content-filter",
  guardrail_intervened: "content-filter",
  sensitive: "content-filter",
  SAFETY: "content-filter",
  RECITATION: "content-filter",
  BLOCKLIST: "content-filter",
  PROHIBITED_CONTENT: "content-filter",
  SPII: "content-filter",
  refusal: "refusal",
  pause_turn: "pause",
  malformed_tool_use: "malformed-tool-call",
  MALFORMED_FUNCTION_CALL: "malformed-tool-call",
  UNEXPECTED_TOOL_CALL: "malformed-tool-call",
  stop_sequence: { stop: "stop", calls: "never" },
  STOP_SEQUENCE: { stop: "stop", calls: "never" },
  error: "error",
  ERROR: "error",
  abort: "error",
  cancelled: "error",
  failed: "error",
  network_error: "error",
  insufficient_system_resource: { stop: "error", error: "overloaded" },
  malformed_model_output: "error",
  MALFORMED_RESPONSE: "error",
  LANGUAGE: "error",
  OTHER: "error",
};

/** What `native_finish_reason` proves beside a `finish_reason`: the worse of the two counts. https://openrouter.ai/docs/api-reference/overview */
export const nativeStops: StopTable = {
  [nativeWord]: null,
  ...Object.fromEntries(
    Object.entries(words).map(([word, claim]) => [`${nativeWord}:${word}`, claim]),
  ),
};
