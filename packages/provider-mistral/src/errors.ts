import type { ErrorTable } from "@fullstop/core/adapter";

/**
 * The kind of each `code` and `type`, of an HTTP body or inside a stream. `invalid_request_error`
 * is not listed: it is also sent if a model is too busy (continue#6185). Then the HTTP status
 * decides.
 */
export const errors: ErrorTable = {
  /**
   * Too many requests or tokens in a period. https://docs.mistral.ai/deployment/laplateforme/tier
   */
  "1300": "rate-limit",
  rate_limited: "rate-limit",
  /** The service is out of capacity, independent of the caller's use (litellm#25078). */
  "3505": "overloaded",
  service_tier_capacity_exceeded: "overloaded",
  /** A parameter that the model does not support (pi#3096). */
  "3051": "invalid-request",
  invalid_request_invalid_args: "invalid-request",
  /** A message whose role is not allowed at its position (litellm#6323). */
  "3230": "invalid-request",
  invalid_request_message_order: "invalid-request",
  /** A call of the history that the API does not accept (ironclaw#1241). */
  "3280": "invalid-request",
  invalid_function_call: "invalid-request",
};
