import { tryParseJson } from "@fullstop/core/adapter";
import { codeOf, detailsOf, type GoogleError, isObject } from "./google-error.ts";

/**
 * Throws the SDK's error with its code, its waiting time and its body where the core reads them.
 * Google sends the code as `status` and the waiting time as a detail; the SDK puts both into a JSON
 * text.
 */
export function throwReadable(thrown: unknown): never {
  const error = isObject(thrown) ? errorOf(thrown) : undefined;
  if (!isObject(thrown) || error === undefined) throw thrown;
  const code = codeOf(error);
  const seconds = retrySecondsOf(error);
  const headers = new Headers(
    "headers" in thrown && thrown.headers instanceof Headers ? thrown.headers : undefined,
  );
  if (seconds !== undefined && !headers.has("retry-after")) headers.set("retry-after", seconds);
  throw Object.assign(thrown, { error: { error }, headers, ...(code !== undefined && { code }) });
}

/** The SDK's `ApiError` has the body as its message. Some servers send the error in a list. */
function errorOf(thrown: {
  readonly error?: unknown;
  readonly message?: unknown;
}): GoogleError | undefined {
  const sent = thrown.error ?? jsonIn(thrown.message);
  const body = Array.isArray(sent) ? sent[0] : sent;
  return isObject(body) && "error" in body && isObject(body.error) ? body.error : undefined;
}

/** The JSON at the end of a text; `undefined` if there is none. */
function jsonIn(text: unknown): unknown {
  const start = typeof text === "string" ? text.search(/[{[]/) : -1;
  return typeof text === "string" && start >= 0 ? tryParseJson(text.slice(start)) : undefined;
}

function retrySecondsOf({ details }: GoogleError): string | undefined {
  const delay = detailsOf(details).find(
    (detail) => typeof detail.retryDelay === "string",
  )?.retryDelay;
  return typeof delay === "string" ? /^(\d+(?:\.\d+)?)s$/.exec(delay)?.[1] : undefined;
}
