import { tokenHeader } from "./client-check.ts";

/**
 * Headers that belong to one connection.
 * https://www.rfc-editor.org/rfc/rfc9110.html#section-7.6.1
 */
const hopByHop = [
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
];
/** Headers that a client of HTTP writes itself, and the one that is for the gateway. */
const notSent = [tokenHeader, "accept-encoding", "content-length", "expect", "host"];

/** The encodings of replies that all runtimes decode alike. Some servers send `deflate` bare. */
const decoded = "br, gzip";
const isDecoded = /^(?:br|deflate|x-gzip|gzip|zstd)$/;

/** The headers for the upstream. */
export function requestHeaders(headers: Headers): Headers {
  const sent = withoutConnection(headers);
  for (const name of notSent) sent.delete(name);
  sent.set("accept-encoding", decoded);
  return sent;
}

/** The headers for the client. The body is decoded. */
export function replyHeaders(headers: Headers): Headers {
  const sent = withoutConnection(headers);
  const encodings =
    sent
      .get("content-encoding")
      ?.toLowerCase()
      .split(/\s*,\s*/) ?? [];
  if (encodings.some((encoding) => isDecoded.test(encoding.trim()))) {
    sent.delete("content-encoding");
    sent.delete("content-length");
  }
  return sent;
}

function withoutConnection(headers: Headers): Headers {
  const kept = new Headers(headers);
  const named = headers.get("connection")?.split(",") ?? [];
  for (const name of [...hopByHop, ...named.map((one) => one.trim())])
    if (isHeaderName.test(name)) kept.delete(name);
  return kept;
}
const isHeaderName = /^[\w!#$%&'*+.^`|~-]+$/;
