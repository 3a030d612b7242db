import type { Fields } from "@fullstop/core/adapter";
import type { Failure } from "../protocol.ts";

/** https://cloud.google.com/apis/design/errors#handling_errors */
const statusNames: Readonly<Record<number, string>> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  402: "FAILED_PRECONDITION",
  415: "INVALID_ARGUMENT",
  429: "RESOURCE_EXHAUSTED",
};
/** Google's own code for an overloaded service. */
const codes: Readonly<Record<number, number>> = { 529: 503 };

export const googleErrorBody = ({ status, message }: Failure): Fields => ({
  error: {
    code: codes[status] ?? status,
    message,
    status: statusNames[status] ?? "UNAVAILABLE",
  },
});
