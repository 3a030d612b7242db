import {
  type ErrorKind,
  type ErrorTable,
  isProviderError,
  ProviderError,
} from "../contract/error.ts";
import { unreachable } from "./unreachable.ts";

/** What SDKs, `fetch` and sockets put on what they throw. */
type Field =
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
type Fields = Readonly<Partial<Record<Field, unknown>>>;
const fields = (value: unknown): Fields =>
  typeof value === "object" && value !== null ? value : {};
const json = (value: unknown): unknown => {
  if (typeof value !== "string" || !/^[{[]/.test(value)) return undefined;
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
};
const text = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;

/**
 * Reads anything that an SDK, `fetch` or a socket throws, by its shape and by the adapter's table of native codes.
 * `otherwise` is the kind of what has no known shape.
 */
export function readThrown(
  thrown: unknown,
  errors: ErrorTable = {},
  otherwise: ErrorKind = "network",
): ProviderError {
  if (isProviderError(thrown)) return thrown;
  const error = fields(thrown);
  const status = [error.status, error.statusCode].find((value) => typeof value === "number");
  const noConnection = status === undefined ? unreachable(thrown) : undefined;
  if (noConnection !== undefined) return noConnection;
  const codes = codesOf(error);
  const listed = codes.find((code) => Object.hasOwn(errors, code));
  const said = messageOf(error) ?? shown(thrown);
  const found =
    (listed === undefined ? undefined : errors[listed]) ??
    byStatus(status) ??
    byName(error, said) ??
    otherwise;
  const kind =
    (found === "invalid-request" || found === otherwise) && saysWindowIsFull(said)
      ? "context-window"
      : found;
  const get = header(error.headers);
  const system = systemCode(error);
  return new ProviderError(
    status === undefined ? withoutStatus(kind, said, system) : withStatus(status, said),
    {
      kind,
      status,
      code: listed ?? codes[0] ?? system,
      requestId:
        text(error.requestID) ??
        text(fields(error.error).request_id) ??
        get("request-id") ??
        get("x-request-id"),
      retryAfterMs: retryAfter(get("retry-after-ms"), get("retry-after")),
      cause: thrown,
    },
  );
}

/** Anything can be thrown, also what refuses to become a text. */
const shown = (thrown: unknown): string =>
  typeof thrown === "object" ? "Something was thrown that has no message." : String(thrown);
const withStatus = (status: number, said: string): string =>
  said.startsWith(String(status)) ? said : `${status}: ${said}`;
const withoutStatus = (kind: ErrorKind, said: string, system: string | undefined): string =>
  kind === "network"
    ? `The connection failed: ${said}${system === undefined ? "" : ` (${system})`}`
    : said;

/** SDKs keep the body, or what it holds under `error`, as `error`; one keeps its text as the message. Some servers wrap it in a list. */
function bodiesOf(error: Fields): { readonly body: Fields; readonly inner: Fields } {
  const whole = error.error ?? json(error.message);
  const body = fields(Array.isArray(whole) ? whole[0] : whole);
  const listed: unknown = Array.isArray(body.errors) ? body.errors[0] : undefined;
  return { body, inner: fields(body.error ?? listed) };
}

/** Hosts say it in one of these places: `{ error: { message } }`, `{ error }`, `{ message }`, `{ detail }` (FastAPI), `{ errors: [{ message }] }`. */
function messageOf(error: Fields): string | undefined {
  const { body, inner } = bodiesOf(error);
  const said =
    text(inner.message) ??
    text(body.message) ??
    text(body.error) ??
    text(body.detail) ??
    text(error.error) ??
    text(error.message);
  return said === undefined ? undefined : shortened(titleOf(said) ?? said);
}

/** A person reads no more of it, and no expression looks at more. */
const mostRead = 2000;
const shortened = (said: string): string =>
  said.length > mostRead ? `${said.slice(0, mostRead)}…` : said;

/** Of a page, what a person is to read. */
function titleOf(said: string): string | undefined {
  const start = said.slice(0, mostRead);
  if (!/<(!doctype|html)\b/i.test(start)) return undefined;
  const title = /<title>([^<]{1,300})/i.exec(start)?.[1]?.trim() ?? "";
  return title === ""
    ? "the server answered with a page"
    : `the server answered with a page: ${title}`;
}

/** The most telling first. */
function codesOf(error: Fields): readonly string[] {
  const { body, inner } = bodiesOf(error);
  const words = [
    fields(inner.details).error_code,
    error.code,
    body.code,
    text(inner.status),
    inner.code,
    error.type,
    body.type,
    inner.type,
  ];
  return words.flatMap((code) => {
    const word = typeof code === "number" ? String(code) : text(code);
    return word === undefined || word === "error" ? [] : [word];
  });
}

/** An error inside a reply, by its native code. */
export function readInBand(
  native: string,
  message: string,
  errors: ErrorTable = {},
): ProviderError {
  const kind = Object.hasOwn(errors, native) ? (errors[native] ?? "server") : "server";
  const full =
    (kind === "server" || kind === "invalid-request") && saysWindowIsFull(`${native} ${message}`);
  return new ProviderError(shortened(message || native), {
    kind: full ? "context-window" : kind,
    code: native,
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
  return (
    statusKinds[status] ??
    (status >= 500 ? "server" : status >= 400 ? "invalid-request" : "malformed-reply")
  );
};

function byName(error: Fields, message: string): ErrorKind | undefined {
  const name = [
    text(error.name),
    text(fields(Object.getPrototypeOf(error)).constructor?.name),
    systemCode(error),
  ].join(" ");
  if (/timeout|timedout/i.test(name) || /timed? ?out/i.test(message)) return "timeout";
  if (/SyntaxError/.test(name)) return "malformed-reply";
  if (/APIConnection|AbortError|APIUserAbort|\bE[A-Z]{4,}|UND_ERR/.test(name)) return "network";
  if (/fetch|network|load failed|terminated|socket/i.test(message)) return "network";
  if (/api.?key|auth(entication|orization)|credential/i.test(message)) return "auth";
  return undefined;
}

const systemCode = (error: Fields): string | undefined => {
  const cause = fields(error.cause);
  return text(error.code) ?? text(cause.code) ?? text(fields(cause.cause).code);
};

/** Overflow texts of some twenty hosts; a rate limit that speaks of tokens is none. Nothing in it repeats without a bound: a server chooses what it is held against. */
const windowTexts =
  /prompt (is )?too long|prompt exceeds max length|request_too_large|input is too long|exceeds? (the |this )?(model'?s? )?(maximum )?(available )?context (length|window|size)|exceeds the available context size|context window (exceeded|exceeds limit)|(maximum|greater than the) (context|prompt) length|input token count[^\n]{0,80}exceeds the maximum|reduce the length of the messages|maximum allowed input length|longer than the model'?s context length|exceeds the limit of \d|exceeded model token limit|maximum context length|configured context size|model_context_window_exceeded|exceeded (max )?context length|range of input length should be|context_length_exceeded|too many tokens|token limit exceeded/i;
const rateTexts = /rate.?limit|too many requests|throttl/i;
const saysWindowIsFull = (message: string): boolean => {
  const start = message.slice(0, mostRead);
  return windowTexts.test(start) && !rateTexts.test(start);
};

function header(headers: unknown): (name: string) => string | undefined {
  const { get } = fields(headers);
  if (typeof get === "function") return (name) => text(get.call(headers, name));
  const plain = new Map(
    Object.entries(fields(headers)).map(([name, value]) => [name.toLowerCase(), value]),
  );
  return (name) => text(plain.get(name));
}

/** Seconds, or an HTTP date (RFC 9110 §10.2.3); some vendors send milliseconds beside it. */
function retryAfter(ms: string | undefined, seconds: string | undefined): number | undefined {
  if (ms !== undefined && Number.isFinite(Number(ms))) return Math.max(0, Number(ms));
  if (seconds === undefined) return undefined;
  const wait = Number.isFinite(Number(seconds))
    ? Number(seconds) * 1000
    : Date.parse(seconds) - Date.now();
  return Number.isFinite(wait) ? Math.max(0, wait) : undefined;
}
