import type { FailedStop, StopReason } from "./stop.ts";

/** What went wrong, the same for every provider. */
export type ErrorKind =
  /** The key is missing, is not accepted, or may not do this. */
  | "auth"
  /** The credit or the quota is used up. */
  | "billing"
  /** The provider refuses the request as it is. */
  | "invalid-request"
  /** The conversation is longer than the model takes. */
  | "context-window"
  /** A filter blocked the request or the reply. */
  | "filtered"
  /** A call in the reply is unusable. */
  | "malformed-tool-call"
  /** Too many requests; `retryAfterMs` where the provider says how long to wait. */
  | "rate-limit"
  /** The provider has no room at the moment. */
  | "overloaded"
  /** The provider failed. */
  | "server"
  /** The provider broke the reply off, and not for a signal of the caller's. */
  | "cancelled"
  /** The connection could not be made, or broke. */
  | "network"
  /** Nothing came for too long. */
  | "timeout"
  /** The reply ended before its protocol's own end. */
  | "cut"
  /** Part of the reply cannot be read, or contradicts the rest. */
  | "malformed-reply"
  /** The reply is larger than what is read of one. */
  | "too-large"
  /** The reply ended with a word that no table lists. */
  | "unknown-stop";

/** The reason a turn gets from an error, and whether the same request may succeed later. */
export const errorRules: Readonly<
  Record<ErrorKind, { readonly stop: Exclude<StopReason, "tool-use">; readonly retry: boolean }>
> = {
  auth: { stop: "error", retry: false },
  billing: { stop: "error", retry: false },
  "invalid-request": { stop: "error", retry: false },
  "context-window": { stop: "context-window", retry: false },
  filtered: { stop: "content-filter", retry: false },
  "malformed-tool-call": { stop: "malformed-tool-call", retry: false },
  "rate-limit": { stop: "error", retry: true },
  overloaded: { stop: "error", retry: true },
  server: { stop: "error", retry: true },
  cancelled: { stop: "error", retry: false },
  network: { stop: "interrupted", retry: true },
  timeout: { stop: "interrupted", retry: true },
  cut: { stop: "interrupted", retry: true },
  "malformed-reply": { stop: "interrupted", retry: true },
  "too-large": { stop: "interrupted", retry: false },
  "unknown-stop": { stop: "unknown", retry: false },
};

/** The kind of the error that a failed turn carries where nothing threw one. */
export const failedKinds: Readonly<Record<FailedStop, ErrorKind>> = {
  error: "server",
  interrupted: "cut",
  unknown: "unknown-stop",
  "context-window": "context-window",
  "malformed-tool-call": "malformed-tool-call",
};
export const isFailed = (stop: StopReason): stop is FailedStop => Object.hasOwn(failedKinds, stop);

/** An adapter's native error codes (`overloaded_error`, `context_length_exceeded`) to kinds. */
export type ErrorTable = Readonly<Record<string, ErrorKind>>;

/** What is known of an error, beside its sentence. */
export interface ErrorDetail {
  readonly kind: ErrorKind;
  /** HTTP status, where there was a response. */
  readonly status?: number | undefined;
  /** The provider's own code. */
  readonly code?: string | undefined;
  /** What the provider's support asks for. */
  readonly requestId?: string | undefined;
  /** Milliseconds that the provider asks to wait. */
  readonly retryAfterMs?: number | undefined;
  /** What was thrown; a copy without them where it held secrets of the endpoint. Not part of the JSON. */
  readonly cause?: unknown;
}

/** What a provider, or the way to it, did wrong. Tell one by its `kind`, not by `instanceof`: packages may hold two copies of this class. */
export class ProviderError extends Error implements ErrorDetail {
  override readonly name = "ProviderError";
  readonly kind: ErrorKind;
  declare readonly status?: number | undefined;
  declare readonly code?: string | undefined;
  declare readonly requestId?: string | undefined;
  declare readonly retryAfterMs?: number | undefined;

  constructor(message: string, { cause, ...detail }: ErrorDetail) {
    super(message, cause === undefined ? undefined : { cause });
    this.kind = detail.kind;
    if (detail.status !== undefined) this.status = detail.status;
    if (detail.code !== undefined) this.code = detail.code;
    if (detail.requestId !== undefined) this.requestId = detail.requestId;
    if (detail.retryAfterMs !== undefined) this.retryAfterMs = detail.retryAfterMs;
  }

  /** `JSON.stringify` of an `Error` drops its message; this keeps all but the cause. */
  toJSON(): object {
    const { name, message, kind, status, code, requestId, retryAfterMs } = this;
    return { name, message, kind, status, code, requestId, retryAfterMs };
  }
}

/** Tells a `ProviderError` of any copy of this package. */
export const isProviderError = (value: unknown): value is ProviderError =>
  value instanceof Error &&
  value.name === "ProviderError" &&
  "kind" in value &&
  Object.hasOwn(errorRules, String(value.kind));
