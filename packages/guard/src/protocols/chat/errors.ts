import type { Fields } from "@fullstop/core/adapter";
import type { Failure } from "../protocol.ts";

/** Errors by status. https://developers.openai.com/api/docs/guides/error-codes */
const chatErrorTypes: Readonly<Record<number, readonly [type: string, code: string | null]>> = {
  400: ["invalid_request_error", null],
  401: ["invalid_request_error", "invalid_api_key"],
  402: ["insufficient_quota", "insufficient_quota"],
  415: ["invalid_request_error", null],
  429: ["rate_limit_error", "rate_limit_exceeded"],
};

/** Some clients send a request again if a word of the error is one of a server's failure. */
export function chatErrorBody({ status, message, isRetryable }: Failure): Fields {
  const otherType = isRetryable ? "server_error" : "invalid_request_error";
  const [type, code] = chatErrorTypes[status] ?? [otherType, null];
  return { error: { message, type, param: null, code } };
}
