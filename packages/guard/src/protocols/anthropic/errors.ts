import type { Fields } from "@fullstop/core/adapter";
import type { Failure } from "../protocol.ts";

/** Errors by status. https://platform.claude.com/docs/en/api/errors */
const anthropicErrorTypes: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  413: "request_too_large",
  415: "invalid_request_error",
  429: "rate_limit_error",
  503: "overloaded_error",
  529: "overloaded_error",
};
export const anthropicErrorBody = ({ status, message }: Failure): Fields => ({
  type: "error",
  error: { type: anthropicErrorTypes[status] ?? "api_error", message },
});
