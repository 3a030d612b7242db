import type { ErrorTable } from "@fullstop/core/adapter";

/**
 * `error_type` of OpenRouter, the same in each of its APIs.
 * https://openrouter.ai/docs/api/reference/errors-and-debugging
 */
export const routerErrors: ErrorTable = {
  context_length_exceeded: "context-window",
  max_tokens_exceeded: "invalid-request",
  /** A budget of the account. */
  token_limit_exceeded: "billing",
  string_too_long: "invalid-request",
  authentication: "auth",
  permission_denied: "auth",
  payment_required: "billing",
  rate_limit_exceeded: "rate-limit",
  provider_overloaded: "overloaded",
  provider_unavailable: "server",
  invalid_request: "invalid-request",
  invalid_prompt: "invalid-request",
  not_found: "invalid-request",
  precondition_failed: "invalid-request",
  payload_too_large: "context-window",
  unprocessable: "invalid-request",
  content_policy_violation: "filtered",
  refusal: "filtered",
  invalid_image: "invalid-request",
  image_too_large: "invalid-request",
  image_too_small: "invalid-request",
  unsupported_image_format: "invalid-request",
  image_not_found: "invalid-request",
  image_download_failed: "invalid-request",
  server: "server",
  timeout: "timeout",
  unmapped: "server",
};
