import type { Fields } from "@fullstop/core/adapter";
import type { Failure } from "../protocol.ts";

/** Codes by status. https://ai.google.dev/gemini-api/docs/api-errors */
const errorCodes: Readonly<Record<number, string>> = {
  400: "invalid_request",
  413: "invalid_request",
  415: "invalid_request",
  429: "too_many_requests",
  503: "service_unavailable",
  529: "service_unavailable",
};

export const interactionsErrorBody = ({ status, message }: Failure): Fields => ({
  error: { code: errorCodes[status] ?? "api_error", message },
});
