import type { FailedStop, StopReason } from "./stop.ts";

/** What went wrong, the same for every provider. */
export type ErrorKind =
  /** The key is missing, is not accepted, or has no permission. */
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
  /** Too many requests. `retryAfterMs` is set if the provider asks to wait. */
  | "rate-limit"
  /** The provider has no capacity at the moment. */
  | "overloaded"
  /** The provider failed. */
  | "server"
  /** The provider broke off the reply. The caller did not abort it. */
  | "cancelled"
  /** The connection failed, or was never made. */
  | "network"
  /** Nothing arrived for too long. */
  | "timeout"
  /** The reply ended before its protocol's own end. */
  | "cut"
  /** A part of the reply cannot be read, or contradicts the rest. */
  | "malformed-reply"
  /** The reply is larger than the limit for one. */
  | "too-large"
  /** The adapter's table does not list the native stop reason. */
  | "unknown-stop";

/**
 * For each kind of error: the stop reason of its turn, and whether the same request may succeed
 * later.
 */
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

/** The kind of error of a failed turn, if no error was thrown. */
export const failedKinds: Readonly<Record<FailedStop, ErrorKind>> = {
  error: "server",
  interrupted: "cut",
  unknown: "unknown-stop",
  "context-window": "context-window",
  "malformed-tool-call": "malformed-tool-call",
};
export const isFailed = (stop: StopReason): stop is FailedStop => Object.hasOwn(failedKinds, stop);

/** Native error codes (`overloaded_error`, `context_length_exceeded`), and the kind of each. */
export type ErrorTable = Readonly<Record<string, ErrorKind>>;

/** What is known about an error, besides its message. */
export interface ErrorDetail {
  /** What kind of error it is, the same for every provider. `errorRules` says what follows. */
  readonly kind: ErrorKind;
  /** The HTTP status, if there was a response. */
  readonly status?: number | undefined;
  /** The provider's own error code. */
  readonly code?: string | undefined;
  /** The id that the provider's support asks for. */
  readonly requestId?: string | undefined;
  /** Milliseconds that the provider asks to wait. */
  readonly retryAfterMs?: number | undefined;
  /**
   * What was thrown. If it contained secrets of the endpoint, a copy without them. Not part of the
   * JSON.
   */
  readonly cause?: unknown;
}

/**
 * An error of a provider, or of the connection to it. Compare its `kind` instead of using
 * `instanceof`: a program may contain two copies of this class.
 */
export class ProviderError extends Error implements ErrorDetail {
  override readonly name = "ProviderError";
  /** What kind of error it is, the same for every provider. `errorRules` says what follows. */
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

  /** Keeps everything except the cause. `JSON.stringify` of an `Error` would drop the message. */
  toJSON(): object {
    const { name, message, kind, status, code, requestId, retryAfterMs } = this;
    return { name, message, kind, status, code, requestId, retryAfterMs };
  }
}

/** Whether a value is a `ProviderError`, also one of another copy of this package. */
export const isProviderError = (value: unknown): value is ProviderError =>
  value instanceof Error &&
  value.name === "ProviderError" &&
  "kind" in value &&
  Object.hasOwn(errorRules, String(value.kind));
