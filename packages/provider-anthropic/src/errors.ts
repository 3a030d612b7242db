import type Anthropic from "@anthropic-ai/sdk";
import type { ErrorKind } from "@fullstop/core";
import type { ErrorTable } from "@fullstop/core/adapter";

/**
 * The kind of each `error.type`, of an error body or of the `error` event.
 * https://platform.claude.com/docs/en/api/errors
 */
export const errors: ErrorTable & Readonly<Record<Anthropic.ErrorType, ErrorKind>> = {
  invalid_request_error: "invalid-request",
  authentication_error: "auth",
  permission_error: "auth",
  billing_error: "billing",
  /** `details.error_code`, under the status and type of a rate limit: waiting does not help. */
  contract_spend_limit_reached: "billing",
  enforced_spend_limit_reached: "billing",
  linked_organization_spend_limit_reached: "billing",
  linked_organization_billing_unavailable: "billing",
  not_found_error: "invalid-request",
  /** HTTP 413: only a shorter conversation succeeds. */
  request_too_large: "context-window",
  rate_limit_error: "rate-limit",
  timeout_error: "timeout",
  api_error: "server",
  overloaded_error: "overloaded",
  conflict_error: "server",
  memory_precondition_failed_error: "invalid-request",
  memory_path_conflict_error: "invalid-request",
  /** Z.ai, under the status and type of a rate limit (zai-org/feedback#789): an empty account. */
  "1113": "billing",
  /**
   * Exceptions inside a stream of Bedrock, as its client names them.
   * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ResponseStream.html
   */
  internalServerException: "server",
  modelStreamErrorException: "server",
  modelTimeoutException: "timeout",
  serviceUnavailableException: "overloaded",
  throttlingException: "rate-limit",
  validationException: "invalid-request",
  /**
   * `error_type` of OpenRouter, where its `type` says less.
   * https://openrouter.ai/docs/api/reference/errors-and-debugging
   */
  context_length_exceeded: "context-window",
  payload_too_large: "context-window",
  token_limit_exceeded: "billing",
  content_policy_violation: "filtered",
  refusal: "filtered",
};
