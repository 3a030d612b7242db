import type { ErrorTable } from "@fullstop/core/adapter";

/**
 * The kind of each error code of Interactions. A code that is not listed is the HTTP status in
 * snake case. https://ai.google.dev/gemini-api/docs/api-errors
 */
export const interactionsErrors: ErrorTable = {
  invalid_request: "invalid-request",
  bad_request: "invalid-request",
  failed_precondition: "invalid-request",
  out_of_range: "invalid-request",
  parameter_unknown: "invalid-request",
  not_found: "invalid-request",
  model_not_found: "invalid-request",
  already_exists: "invalid-request",
  unimplemented: "invalid-request",
  authentication: "auth",
  permission_denied: "auth",
  payment_required: "billing",
  quota_exceeded: "billing",
  rate_limit_exceeded: "rate-limit",
  too_many_requests: "rate-limit",
  service_unavailable: "overloaded",
  aborted: "server",
  api_error: "server",
  internal_server_error: "server",
  cancelled: "cancelled",
  deadline_exceeded: "timeout",
  gateway_timeout: "timeout",
  /** A policy blocked the prompt or the reply. */
  safety: "filtered",
  recitation: "filtered",
  prohibited_content: "filtered",
  spii: "filtered",
  blocklist: "filtered",
  image_safety: "filtered",
  image_prohibited_content: "filtered",
  image_recitation: "filtered",
  content_blocked: "filtered",
  /** The model wrote something that cannot be used. */
  malformed_function_call: "malformed-tool-call",
  malformed_tool_call: "malformed-tool-call",
  unexpected_tool_call: "malformed-tool-call",
  image_other: "server",
  no_image: "server",
  /** The same request fails again. */
  language: "invalid-request",
  too_many_tool_calls: "invalid-request",
  missing_thought_signature: "invalid-request",
};
