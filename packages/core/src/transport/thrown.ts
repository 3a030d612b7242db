import type { ReplyReader } from "../contract/adapter.ts";
import { type ErrorKind, isProviderError, ProviderError } from "../contract/error.ts";
import { isRecord } from "../json/fields.ts";
import { tryParseJson } from "../json/parse.ts";
import { kindInText, maxReadLength, shortened } from "./error-texts.ts";
import { unreachable } from "./unreachable.ts";

/** The fields that SDKs, `fetch` and sockets put on errors. */
type ThrownField =
  | "name"
  | "message"
  | "status"
  | "statusCode"
  | "code"
  | "type"
  | "error"
  | "errors"
  | "detail"
  | "details"
  | "error_code"
  | "headers"
  | "requestID"
  | "request_id"
  | "cause"
  | "get";
type ThrownFields = Readonly<Partial<Record<ThrownField, unknown>>>;
const asFields = (value: unknown): ThrownFields => (isRecord(value) ? value : {});
const parseIfJson = (value: unknown): unknown =>
  typeof value === "string" && /^[{[]/.test(value) ? tryParseJson(value) : undefined;
const nonEmptyText = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;

/**
 * Reads anything that an SDK, `fetch` or a socket throws: its fields, and its native code in the
 * table of the reader or adapter. `otherwise` is the kind of an unknown shape. A `ProviderError`
 * stays as it is.
 */
export function toProviderError(
  thrown: unknown,
  { errors = {} }: Pick<ReplyReader, "errors"> = {},
  otherwise: ErrorKind = "network",
): ProviderError {
  if (isProviderError(thrown)) return thrown;
  const error = asFields(thrown);
  const status = [error.status, error.statusCode].find((value) => typeof value === "number");
  const noConnection = status === undefined ? unreachable(thrown) : undefined;
  if (noConnection !== undefined) return noConnection;
  const codes = codesOf(error);
  const listed = codes.find((code) => Object.hasOwn(errors, code));
  const message = errorMessage(error) ?? describeUnknown(thrown);
  const found =
    (listed === undefined ? undefined : errors[listed]) ??
    byStatus(status) ??
    byName(error, message) ??
    otherwise;
  const isVague = found === "invalid-request" || found === otherwise;
  const kind = (isVague && kindInText(message)) || found;
  const get = header(error.headers);
  const system = systemCode(error);
  return new ProviderError(
    status === undefined ? withoutStatus(kind, message, system) : withStatus(status, message),
    {
      kind,
      status,
      code: listed ?? codes[0] ?? system,
      requestId:
        nonEmptyText(error.requestID) ??
        nonEmptyText(asFields(error.error).request_id) ??
        get("request-id") ??
        get("x-request-id"),
      retryAfterMs: retryAfter(get("retry-after-ms"), get("retry-after")),
      cause: thrown,
    },
  );
}

/** Any value can be thrown, also one that cannot be converted to text. */
const describeUnknown = (thrown: unknown): string =>
  typeof thrown === "object" ? "A value without a message was thrown." : String(thrown);
const withStatus = (status: number, message: string): string =>
  message.startsWith(String(status)) ? message : `${status}: ${message}`;
const withoutStatus = (kind: ErrorKind, message: string, system: string | undefined): string =>
  kind === "network"
    ? `The connection failed: ${message}${system === undefined ? "" : ` (${system})`}`
    : message;

/** SDKs keep the body, its `error`, or its text as the message. Some servers wrap it in a list. */
function bodiesOf(error: ThrownFields) {
  const whole = error.error ?? parseIfJson(error.message);
  const body = asFields(Array.isArray(whole) ? whole[0] : whole);
  const listed: unknown = Array.isArray(body.errors) ? body.errors[0] : undefined;
  return { body, inner: asFields(body.error ?? listed) };
}

/**
 * Hosts put the message in one of these places: `{ error: { message } }`, `{ error }`, `{ message
 * }`, `{ detail }` (FastAPI), `{ errors: [{ message }] }`.
 */
function errorMessage(error: ThrownFields): string | undefined {
  const { body, inner } = bodiesOf(error);
  const message =
    nonEmptyText(inner.message) ??
    nonEmptyText(body.message) ??
    nonEmptyText(body.error) ??
    nonEmptyText(body.detail) ??
    nonEmptyText(error.error) ??
    nonEmptyText(error.message);
  return message === undefined ? undefined : shortened(titleOf(message) ?? message);
}

function titleOf(message: string): string | undefined {
  const start = message.slice(0, maxReadLength);
  if (!/<(!doctype|html)\b/i.test(start)) return undefined;
  const title = /<title>([^<]{1,300})/i.exec(start)?.[1]?.trim() ?? "";
  return title === ""
    ? "the server answered with a page"
    : `the server answered with a page: ${title}`;
}

/** The most specific code comes first. */
function codesOf(error: ThrownFields): readonly string[] {
  const { body, inner } = bodiesOf(error);
  const words = [
    asFields(inner.details).error_code,
    error.code,
    body.code,
    nonEmptyText(inner.status),
    inner.code,
    error.type,
    body.type,
    inner.type,
  ];
  return words.flatMap((code) => {
    const word = typeof code === "number" ? String(code) : nonEmptyText(code);
    return word === undefined || word === "error" ? [] : [word];
  });
}

const statusKinds: Readonly<Record<number, ErrorKind>> = {
  401: "auth",
  402: "billing",
  403: "auth",
  413: "context-window",
  408: "server",
  429: "rate-limit",
  499: "cancelled",
  503: "overloaded",
  529: "overloaded",
};
const byStatus = (status: number | undefined): ErrorKind | undefined => {
  if (status === undefined) return undefined;
  const listed = statusKinds[status];
  if (listed !== undefined) return listed;
  if (status >= 500) return "server";
  return status >= 400 ? "invalid-request" : "malformed-reply";
};

/** Names of classes and codes. https://nodejs.org/api/errors.html#err_http2_error */
const networkNames =
  /APIConnection|AbortError|APIUserAbort|\bE[A-Z]{4,}|UND_ERR|HPE_|ERR_HTTP2_(ERROR|\w{0,40}(STREAM|SESSION))/;

function byName(error: ThrownFields, message: string): ErrorKind | undefined {
  const name = [
    nonEmptyText(error.name),
    nonEmptyText(asFields(Object.getPrototypeOf(error)).constructor?.name),
    systemCode(error),
  ].join(" ");
  // The AWS SDK gives a connection that was reset the name TimeoutError.
  if (/ECONNRESET|EPIPE/.test(name)) return "network";
  if (/timeout|timedout/i.test(name) || /timed? ?out/i.test(message)) return "timeout";
  if (/SyntaxError/.test(name)) return "malformed-reply";
  if (networkNames.test(name)) return "network";
  if (/fetch|network|load failed|terminated|socket/i.test(message)) return "network";
  if (/api.?key|auth(entication|orization)|credential/i.test(message)) return "auth";
  return undefined;
}

const systemCode = (error: ThrownFields): string | undefined => {
  const cause = asFields(error.cause);
  return (
    nonEmptyText(error.code) ?? nonEmptyText(cause.code) ?? nonEmptyText(asFields(cause.cause).code)
  );
};

function header(headers: unknown): (name: string) => string | undefined {
  const { get } = asFields(headers);
  if (typeof get === "function") return (name) => nonEmptyText(get.call(headers, name));
  const plain = new Map(
    Object.entries(asFields(headers)).map(([name, value]) => [name.toLowerCase(), value]),
  );
  return (name) => nonEmptyText(plain.get(name));
}

/** Seconds or an HTTP date (RFC 9110 §10.2.3). Some vendors send milliseconds in another header. */
function retryAfter(ms: string | undefined, seconds: string | undefined): number | undefined {
  if (ms !== undefined && Number.isFinite(Number(ms))) return Math.max(0, Number(ms));
  if (seconds === undefined) return undefined;
  const wait = Number.isFinite(Number(seconds))
    ? Number(seconds) * 1000
    : Date.parse(seconds) - Date.now();
  return Number.isFinite(wait) ? Math.max(0, wait) : undefined;
}
