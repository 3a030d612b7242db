import { errors } from "./errors.ts";

/** An error as Google's servers tell it. https://cloud.google.com/apis/design/errors#http_mapping */
export interface GoogleError {
  readonly code?: unknown;
  readonly status?: unknown;
  readonly message?: unknown;
  readonly details?: unknown;
}
interface Detail {
  /** google.rpc.ErrorInfo */
  readonly reason?: unknown;
  /** google.rpc.RetryInfo: `"12.5s"`. */
  readonly retryDelay?: unknown;
}

/** The most telling of the names that an error goes by. */
export function codeOf({ status, code, details }: GoogleError): string | undefined {
  const reason = detailsOf(details).find(
    (detail) => typeof detail.reason === "string" && Object.hasOwn(errors, detail.reason),
  )?.reason;
  const name = [reason, status, code].find(
    (value) => (typeof value === "string" && value !== "") || typeof value === "number",
  );
  return name === undefined ? undefined : String(name);
}

const detailsOf = (details: unknown): readonly Detail[] =>
  Array.isArray(details) ? details.filter(isObject) : [];
const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

/** Google says its code as `status`, its wait in a detail, and the SDK both inside a JSON text: put where any reader of errors finds them. */
export function explained(thrown: unknown): never {
  const body = isObject(thrown) ? bodyOf(thrown) : undefined;
  if (!isObject(thrown) || body === undefined) throw thrown;
  const code = codeOf(body);
  const wait = secondsOf(body);
  const headers = new Headers(
    "headers" in thrown && thrown.headers instanceof Headers ? thrown.headers : undefined,
  );
  if (wait !== undefined && !headers.has("retry-after")) headers.set("retry-after", wait);
  throw Object.assign(thrown, {
    error: { error: body },
    headers,
    ...(code !== undefined && { code }),
  });
}

/** The body of an answer that was read (`error`), or the one that the SDK's `ApiError` has for a message; some servers wrap it in a list. */
function bodyOf(thrown: {
  readonly error?: unknown;
  readonly message?: unknown;
}): GoogleError | undefined {
  const told = thrown.error ?? parsed(thrown.message);
  const body = Array.isArray(told) ? told[0] : told;
  return isObject(body) && "error" in body && isObject(body.error) ? body.error : undefined;
}

function parsed(text: unknown): unknown {
  const start = typeof text === "string" ? text.search(/[{[]/) : -1;
  if (typeof text !== "string" || start < 0) return undefined;
  try {
    return JSON.parse(text.slice(start));
  } catch {
    return undefined;
  }
}

function secondsOf({ details }: GoogleError): string | undefined {
  const delay = detailsOf(details).find(
    (detail) => typeof detail.retryDelay === "string",
  )?.retryDelay;
  return typeof delay === "string" ? /^(\d+(?:\.\d+)?)s$/.exec(delay)?.[1] : undefined;
}
