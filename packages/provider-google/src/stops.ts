import type { StopTable } from "@fullstop/core";
import type { FinishReason } from "@google/genai";

/**
 * Why Gemini ends a reply: the SDK's words, those outside its type, and `blocked` for a prompt that was refused.
 * https://ai.google.dev/api/generate-content#FinishReason
 */
export const stops: StopTable<`${FinishReason}`> = {
  /** There is no word for calls. */
  STOP: "stop",
  MAX_TOKENS: "length",
  /** The limit of one request: the same request with the token goes on. */
  CONTINUATION: "pause",
  SAFETY: "content-filter",
  RECITATION: "content-filter",
  BLOCKLIST: "content-filter",
  PROHIBITED_CONTENT: "content-filter",
  SPII: "content-filter",
  IMAGE_SAFETY: "content-filter",
  IMAGE_PROHIBITED_CONTENT: "content-filter",
  IMAGE_RECITATION: "content-filter",
  /** What the model wrote is in the detail. */
  MALFORMED_FUNCTION_CALL: "malformed-tool-call",
  UNEXPECTED_TOOL_CALL: "malformed-tool-call",
  OTHER: "error",
  MALFORMED_RESPONSE: "error",
  NO_IMAGE: "error",
  IMAGE_OTHER: "error",
  /** A language that the model does not speak, and a chain of calls that the service broke off: the same request ends the same way. */
  LANGUAGE: { stop: "error", error: "invalid-request" },
  TOO_MANY_TOOL_CALLS: { stop: "error", error: "invalid-request" },
  FINISH_REASON_UNSPECIFIED: "unknown",
  /** Outside the SDK's type; LiteLLM lists the two. The first says that the history lacks a signature. */
  MISSING_THOUGHT_SIGNATURE: { stop: "error", error: "invalid-request" },
  ESCALATION: "unknown",
  /** `promptFeedback.blockReason`, which is the detail: no candidate was made. https://ai.google.dev/api/generate-content#BlockReason */
  blocked: "content-filter",
};
