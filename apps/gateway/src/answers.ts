import { type Failure, protocolError } from "@fullstop/guard";

/** An answer of the gateway itself. */
export interface GatewayAnswer {
  readonly status: number;
  readonly type: string;
  readonly message: string;
  /** More members of the body. */
  readonly facts?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An error in a form that the SDKs of all vendors read. */
export const errorBody = ({ status, type, message, facts }: GatewayAnswer): object => ({
  type: "error",
  error: { type, message, code: status, status: type.toUpperCase() },
  ...facts,
});

export const errorAnswer = (answer: GatewayAnswer): Response =>
  Response.json(errorBody(answer), { status: answer.status, headers: answer.headers ?? {} });

/** An error in the form of the protocol that the path belongs to, if it belongs to one. */
export const errorOf = (
  request: { readonly method: string; readonly url: URL },
  { type, ...failure }: Failure & { readonly type: string },
): Response => protocolError(request, failure) ?? errorAnswer({ type, ...failure });

export const noRoute = (names: readonly string[]): Response =>
  errorAnswer({
    status: 404,
    type: "not_found",
    message: `This gateway has no such route. A path begins with the name of one: ${names
      .map((name) => `/${name}/`)
      .join(", ")}`,
    facts: { routes: names },
  });

/** Calls in a WebSocket would pass unguarded, so there is none. */
export const upgradeRequired = (): Response =>
  errorAnswer({
    status: 426,
    type: "upgrade_required",
    message:
      "This gateway guards replies over HTTP and does not open WebSockets. Send the request with HTTP, as a stream of server-sent events.",
    headers: { upgrade: "HTTP/1.1" },
  });

export const shuttingDown = (): Response =>
  errorAnswer({
    status: 503,
    type: "unavailable",
    message: "The gateway is shutting down. Send the request again in a moment.",
    headers: { connection: "close", "retry-after": "1" },
  });

/** The client may send the request again when others have ended. */
export const tooManyActive = (most: number): Response =>
  errorAnswer({
    status: 503,
    type: "overloaded_error",
    message: `Service unavailable: the gateway answers at most ${most} requests at once. Send the request again in a moment.`,
    headers: { "retry-after": "1", "x-should-retry": "true" },
  });

export const methodNotAllowed = (allow: string): Response =>
  errorAnswer({
    status: 405,
    type: "method_not_allowed",
    message: `The gateway does not answer this method. Use ${allow}.`,
    headers: { allow },
  });

export const badTarget = (): Response =>
  errorAnswer({
    status: 400,
    type: "invalid_request",
    message: "The target of the request is not a path. This gateway is not a forward proxy.",
  });

export const handlerFailed = (): Response =>
  errorAnswer({
    status: 500,
    type: "internal_error",
    message: "The gateway failed on this request.",
  });
