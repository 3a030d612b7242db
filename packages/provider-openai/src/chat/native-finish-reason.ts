import type { Claim, StopTable } from "@fullstop/core/adapter";

/** The field of a choice with the upstream provider's reason, and the prefix of such reasons. */
export const nativeFinishReason = "native_finish_reason";

/** Upstream reasons of a reply that is not finished. For others `finish_reason` decides. */
const unfinishedReasons: Readonly<Record<string, Claim>> = {
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

/**
 * What `native_finish_reason` means next to a `finish_reason`: the worse of the two counts.
 * https://openrouter.ai/docs/api-reference/overview
 */
export const nativeStops: StopTable = /* @__PURE__ */ createNativeStops();

function createNativeStops(): StopTable {
  const unfinished = Object.entries(unfinishedReasons).map(([reason, claim]) => [
    `${nativeFinishReason}:${reason}`,
    claim,
  ]);
  return { [nativeFinishReason]: null, ...Object.fromEntries(unfinished) };
}
