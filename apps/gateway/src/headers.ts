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
const isDecoded = /^(?:br|deflate|x-gzip|gzip|zstd)$/;

/** Names in small letters, and values. A name may stand several times, as `set-cookie` does. */
type HeaderList = [name: string, value: string][];

/** The headers for the upstream. */
export const requestHeaders = (headers: Headers): HeaderList => [
  ...withoutConnection(headers).filter(([name]) => !notSent.has(name)),
  ["accept-encoding", decoded],
];

/** The headers for the client. The body is decoded. */
export function replyHeaders(headers: Headers): HeaderList {
  const sent = withoutConnection(headers);
  const encodings = headers.get("content-encoding")?.toLowerCase().split(",") ?? [];
  return encodings.some((encoding) => isDecoded.test(encoding.trim()))
    ? sent.filter(([name]) => name !== "content-encoding" && name !== "content-length")
    : sent;
}

function withoutConnection(headers: Headers): HeaderList {
  const named =
    headers
      .get("connection")
      ?.toLowerCase()
      .split(/\s*,\s*/) ?? [];
  return [...headers].filter(([name]) => !hopByHop.has(name) && !named.includes(name));
}
