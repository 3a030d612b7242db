import type { StopTable } from "@fullstop/core/adapter";
import type { FinishReason } from "@google/genai";

/**
 * Why Gemini ends a reply: the SDK's finish reasons, others outside its type, and `blocked` for a
 * prompt that was refused. https://ai.google.dev/api/generate-content#FinishReason
 */
export const stops: StopTable<`${FinishReason}`> = {
  /** Also after calls: Gemini has no finish reason of their own. */
  STOP: "stop",
  MAX_TOKENS: "length",
  /** The limit of one request. The same request with the token continues the reply. */
  CONTINUATION: "pause",
  SAFETY: "content-filter",
  RECITATION: "content-filter",
  BLOCKLIST: "content-filter",
  PROHIBITED_CONTENT: "content-filter",
  SPII: "content-filter",
  IMAGE_SAFETY: "content-filter",
  IMAGE_PROHIBITED_CONTENT: "content-filter",
  IMAGE_RECITATION: "content-filter",
  /** The detail contains what the model wrote. */
  MALFORMED_FUNCTION_CALL: "malformed-tool-call",
  UNEXPECTED_TOOL_CALL: "malformed-tool-call",
  OTHER: "error",
  MALFORMED_RESPONSE: "error",
  NO_IMAGE: "error",
  IMAGE_OTHER: "error",
  /** The model does not support the language. The same request fails again. */
  LANGUAGE: { stop: "error", error: "invalid-request" },
  /** The service ended a long chain of calls. The same request fails again. */
  TOO_MANY_TOOL_CALLS: { stop: "error", error: "invalid-request" },
  /** The default value, which the API does not use. Some proxies send it in every chunk. */
  FINISH_REASON_UNSPECIFIED: null,
  /** The history lacks a signature. */
  MISSING_THOUGHT_SIGNATURE: { stop: "error", error: "invalid-request" },
  /** A rule of the service filtered the request. */
  ESCALATION: "content-filter",
  /** The SDK's type: a filter that the account set up blocked the reply. */
  MODEL_ARMOR: "content-filter",
  /** The SDK's type: the account is limited or disabled, because it broke the policy of use. */
  PUP_LIMITED_DISABLED: { stop: "error", error: "auth" },
  /**
   * The host blocked the prompt, and sends no candidate. The detail is `promptFeedback.blockReason`.
   * https://ai.google.dev/api/generate-content#BlockReason
   */
  blocked: "content-filter",
};
