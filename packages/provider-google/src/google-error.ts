import type { Emit } from "@fullstop/core/adapter";
import { errors } from "./errors.ts";

/** An error object of Google's servers. https://cloud.google.com/apis/design/errors#http_mapping */
export interface GoogleError {
  readonly code?: unknown;
  readonly status?: unknown;
  readonly message?: unknown;
  readonly details?: unknown;
}
export interface ErrorDetail {
  /** google.rpc.ErrorInfo */
  readonly reason?: unknown;
  /** google.rpc.RetryInfo, such as `"12.5s"`. */
  readonly retryDelay?: unknown;
}

/** The most specific code of an error: a listed reason, else its status, else its number. */
export function codeOf({ status, code, details }: GoogleError): string | undefined {
  const reason = detailsOf(details).find(
    (detail) => typeof detail.reason === "string" && Object.hasOwn(errors, detail.reason),
  )?.reason;
  const name = [reason, status, code].find(
    (value) => (typeof value === "string" && value !== "") || typeof value === "number",
  );
  return name === undefined ? undefined : String(name);
}

/** A code may be one of HTTP, a number of another system or a name. */
export function emitGoogleError(emit: Emit, error: GoogleError | string): void {
  const { message, ...codes }: GoogleError = typeof error === "string" ? { message: error } : error;
  emit({
    type: "error",
    native: codeOf(codes) ?? "error",
    message: typeof message === "string" ? message : JSON.stringify(error),
  });
}

export const detailsOf = (details: unknown): readonly ErrorDetail[] =>
  Array.isArray(details) ? details.filter(isObject) : [];

export const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null;
