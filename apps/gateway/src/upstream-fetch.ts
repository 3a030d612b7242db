import type { Fetch } from "@fullstop/guard";
import { Agent, type Dispatcher, EnvHttpProxyAgent, request } from "undici";
import { decodeReply } from "./decode-reply.ts";
import { readableStream } from "./readable-stream.ts";

/** The environment variables that name a proxy. */
const proxyVariables = ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"];
/** The hosts that are reached without one. A list that is only an asterisk means all. */
const withoutProxy = (hosts = ""): string =>
  hosts.trim() === "*" ? "*" : `${hosts},localhost,127.0.0.1,[::1]`;

/**
 * The `fetch` of the command. The one of Node gives up after five minutes without a byte; models
 * think longer than that before they say anything. A proxy of the environment is used, but not for
 * this machine. It follows no redirect, and needs less CPU than `fetch`, because it adds nothing of
 * browsers.
 */
export function createUpstreamFetch({ silenceMs }: { readonly silenceMs: number }): Fetch {
  const limits = { headersTimeout: silenceMs, bodyTimeout: silenceMs };
  const { NO_PROXY, no_proxy: noProxy = NO_PROXY } = process.env;
  const dispatcher: Dispatcher = proxyVariables.some((name) => process.env[name])
    ? new EnvHttpProxyAgent({ ...limits, noProxy: withoutProxy(noProxy) })
    : new Agent(limits);
  return async (input, { method = "GET", headers, body = null, signal = null } = {}) => {
    const isLarge = body instanceof Uint8Array && body.length > pieceBytes;
    const sent = headers instanceof Headers && !isLarge ? headers : new Headers(headers);
    if (isLarge) sent.set("content-length", String(body.length));
    const reply = await request(input instanceof URL ? input : String(input), {
      method: method as Dispatcher.HttpMethod,
      headers: sent,
      body: (isLarge ? inPieces(body) : body) as Uint8Array | string | null,
      signal,
      dispatcher,
    });
    // Without a listener an error that is not read would end the process.
    reply.body.on("error", () => undefined);
    try {
      return toResponse(reply, method);
    } catch (thrown) {
      reply.body.destroy();
      throw thrown;
    }
  };
}

/** The most bytes of a body that are given to the connection at once. */
const pieceBytes = 64 * 1024;

/**
 * If an answer comes before the whole request was given to the connection, undici closes the
 * connection. Otherwise the next request would wait behind the rest of this one.
 */
function* inPieces(body: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < body.length; at += pieceBytes) yield body.subarray(at, at + pieceBytes);
}

/** Statuses whose replies have no body. */
const emptyStatuses: ReadonlySet<number> = new Set([204, 205, 304]);

function toResponse(
  { statusCode, statusText = "", headers, body }: Dispatcher.ResponseData,
  method: string,
): Response {
  const isEmpty = method === "HEAD" || emptyStatuses.has(statusCode);
  if (isEmpty) body.resume();
  const content = isEmpty ? null : readableStream(decodeReply(body, headers["content-encoding"]));
  // A `Response` refuses other words than these, and a status that HTTP does not have.
  const words = /^[\t\x20-\x7e]*$/.test(statusText) ? statusText : "";
  const isKnown = statusCode <= 599;
  const response = new Response(
    content,
    isKnown ? { status: statusCode, statusText: words } : { status: 502 },
  );
  for (const [name, values = []] of Object.entries(headers))
    for (const value of [values].flat()) response.headers.append(name, value);
  return isKnown ? response : Object.defineProperty(response, "status", { value: statusCode });
}
