import type { ErrorTable } from "@fullstop/core/adapter";

/**
 * `code` and `type`, of an HTTP body or inside a stream.
 * `invalid_request_error` is not listed: it came with a model that is too busy as well, and the status tells them apart (continue#6185).
 */
export const errors: ErrorTable = {
  /** https://docs.mistral.ai/deployment/laplateforme/tier: requests or tokens for some time. */
  "1300": "rate-limit",
  rate_limited: "rate-limit",
  /** The backend is full, whatever the caller used (litellm#25078). */
  "3505": "overloaded",
  service_tier_capacity_exceeded: "overloaded",
  /** A parameter that the model does not take (pi#3096). */
  "3051": "invalid-request",
  invalid_request_invalid_args: "invalid-request",
  /** A message that may not stand where it stands (litellm#6323). */
  "3230": "invalid-request",
  invalid_request_message_order: "invalid-request",
  /** A call that cannot be sent back as it is (ironclaw#1241). */
  "3280": "invalid-request",
  invalid_function_call: "invalid-request",
};
