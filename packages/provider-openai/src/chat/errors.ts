import type { ErrorTable } from "@fullstop/core/adapter";

/**
 * `error_type` of OpenRouter, the same in each of its APIs, where the code beside it says less.
 * https://openrouter.ai/docs/api/reference/errors-and-debugging
 */
const routerErrors: ErrorTable = {
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

/**
 * `error.code` and `error.type` of an HTTP body or of an event in a stream. Numeric codes are HTTP
 * statuses. https://developers.openai.com/api/docs/guides/error-codes
 */
export const chatErrors: ErrorTable = {
  ...routerErrors,
  string_above_max_length: "invalid-request",
  content_filter: "filtered",
  ResponsibleAIPolicyViolation: "filtered",
  /** DashScope: https://help.aliyun.com/en/model-studio/error-code */
  data_inspection_failed: "filtered",
  DataInspectionFailed: "filtered",
  invalid_api_key: "auth",
  invalid_organization: "auth",
  authentication_error: "auth",
  permission_error: "auth",
  insufficient_quota: "billing",
  billing_hard_limit_reached: "billing",
  billing_not_active: "billing",
  rate_limit_error: "rate-limit",
  requests: "rate-limit",
  tokens: "rate-limit",
  model_not_found: "invalid-request",
  invalid_request_error: "invalid-request",
  server_error: "server",
  internal_error: "server",
  service_unavailable: "overloaded",
  overloaded_error: "overloaded",
  engine_overloaded: "overloaded",
  "400": "invalid-request",
  "401": "auth",
  "402": "billing",
  "403": "auth",
  "404": "invalid-request",
  "408": "timeout",
  "413": "context-window",
  "422": "invalid-request",
  "429": "rate-limit",
  "500": "server",
  "502": "server",
  "503": "overloaded",
  "504": "timeout",
  "524": "timeout",
  "529": "overloaded",
};
