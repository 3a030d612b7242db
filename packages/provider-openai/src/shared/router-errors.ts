import type { ErrorTable } from "@fullstop/core/adapter";

/**
 * `error_type` of OpenRouter, the same in each of its APIs, where the code beside it says less.
 * https://openrouter.ai/docs/api/reference/errors-and-debugging
 */
export const routerErrors: ErrorTable = {
  context_length_exceeded: "context-window",
  /** A budget of the account. */
  token_limit_exceeded: "billing",
  authentication: "auth",
  permission_denied: "auth",
  payment_required: "billing",
  rate_limit_exceeded: "rate-limit",
  provider_overloaded: "overloaded",
  not_found: "invalid-request",
  payload_too_large: "context-window",
  unprocessable: "invalid-request",
  content_policy_violation: "filtered",
  refusal: "filtered",
  unsupported_image_format: "invalid-request",
  image_not_found: "invalid-request",
  image_download_failed: "invalid-request",
  timeout: "timeout",
};
