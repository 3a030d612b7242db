import type { ErrorTable } from "@fullstop/core/adapter";

/**
 * The kind of each `error.status`, of more specific reasons in its details, and of HTTP codes in
 * chunks without a status. https://ai.google.dev/gemini-api/docs/troubleshooting,
 * https://cloud.google.com/apis/design/errors
 */
export const errors: ErrorTable = {
  INVALID_ARGUMENT: "invalid-request",
  FAILED_PRECONDITION: "invalid-request",
  OUT_OF_RANGE: "invalid-request",
  UNIMPLEMENTED: "invalid-request",
  NOT_FOUND: "invalid-request",
  ALREADY_EXISTS: "invalid-request",
  UNAUTHENTICATED: "auth",
  PERMISSION_DENIED: "auth",
  RESOURCE_EXHAUSTED: "rate-limit",
  UNAVAILABLE: "overloaded",
  INTERNAL: "server",
  UNKNOWN: "server",
  ABORTED: "server",
  DATA_LOSS: "server",
  DEADLINE_EXCEEDED: "timeout",
  CANCELLED: "cancelled",
  /**
   * Reasons. The status of a wrong key is INVALID_ARGUMENT, that of a closed account
   * PERMISSION_DENIED.
   */
  API_KEY_INVALID: "auth",
  BILLING_DISABLED: "billing",
  "400": "invalid-request",
  "401": "auth",
  "403": "auth",
  "404": "invalid-request",
  "408": "timeout",
  "429": "rate-limit",
  "499": "cancelled",
  "500": "server",
  "503": "overloaded",
  "504": "timeout",
};
