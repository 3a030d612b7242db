import { tokenHeader } from "./client-check.ts";

/**
 * Headers that belong to one connection.
 * https://www.rfc-editor.org/rfc/rfc9110.html#section-7.6.1
 */
const hopByHop: ReadonlySet<string> = new Set([
  "connection",
  "http2-settings",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);
/** Headers that a client of HTTP writes itself, and the one that is for the gateway. */
const notSent: ReadonlySet<string> = new Set([tokenHeader, "accept-encoding", "expect", "host"]);

/** The encodings of replies that all runtimes decode alike. Some servers send `deflate` bare. */
const decoded = "br, gzip";
const ofEncodedBody: ReadonlySet<string> = new Set(["content-encoding", "content-length"]);
const none: ReadonlySet<string> = new Set();
const isDecoded = /^(?:br|deflate|x-gzip|gzip|zstd)$/;

/** The headers for the upstream. */
export function requestHeaders(headers: Headers): Headers {
  const sent = new Headers();
  copyHeaders(headers, sent, notSent);
  sent.set("accept-encoding", decoded);
  return sent;
}

/** Adds the headers for the client. The body is decoded. */
export function addReplyHeaders(headers: Headers, sent: Headers): void {
  const encodings = headers.get("content-encoding")?.toLowerCase().split(",") ?? [];
  const isDecodedBody = encodings.some((encoding) => isDecoded.test(encoding.trim()));
  copyHeaders(headers, sent, isDecodedBody ? ofEncodedBody : none);
}

/** Without those of the connection. A name may stand several times, as `set-cookie` does. */
function copyHeaders(from: Headers, to: Headers, left: ReadonlySet<string>): void {
  const listed = from.get("connection")?.toLowerCase().split(",") ?? [];
  const named = new Set(listed.map((name) => name.trim()));
  for (const [name, value] of from)
    if (!hopByHop.has(name) && !left.has(name) && !named.has(name)) to.append(name, value);
}
