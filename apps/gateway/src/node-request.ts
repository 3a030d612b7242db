import type { IncomingMessage } from "node:http";
import { readableStream } from "./readable-stream.ts";

const withoutBody: readonly string[] = ["GET", "HEAD"];

/** https://www.rfc-editor.org/rfc/rfc9112.html#section-6.3 */
const hasBody = ({ method = "GET", headers }: IncomingMessage): boolean =>
  !withoutBody.includes(method) &&
  ("transfer-encoding" in headers || Number(headers["content-length"] ?? 0) > 0);

/**
 * The target as a path. A client that takes the gateway for a proxy sends the whole address, which
 * counts if it names the same host as the header.
 * https://www.rfc-editor.org/rfc/rfc9112.html#section-3.2.2
 */
export function targetOf({ url = "", headers }: IncomingMessage): string {
  const [address, host = ""] = /^https?:\/\/([^/?#@]*)/i.exec(url) ?? [];
  if (address === undefined || host.toLowerCase() !== headers.host?.toLowerCase()) return url;
  const path = url.slice(address.length);
  return path.startsWith("/") ? path : `/${path}`;
}

/** A request of `node:http` as a `Request`. `undefined`: its target is not a path. */
export function createRequest(incoming: IncomingMessage, signal: AbortSignal): Request | undefined {
  const { method = "GET" } = incoming;
  const url = targetOf(incoming);
  const address = `http://gateway${url}`;
  if (!url.startsWith("/") || !URL.canParse(address)) return undefined;
  const request = new Request(address, {
    method,
    signal,
    ...(hasBody(incoming) && {
      // Node can skip bodies that the gateway does not need.
      body: readableStream(incoming, { destroyOnReturn: false }),
      duplex: "half",
    }),
  });
  const { rawHeaders } = incoming;
  for (let at = 0; at < rawHeaders.length; at += 2)
    request.headers.append(rawHeaders[at] ?? "", rawHeaders[at + 1] ?? "");
  return request;
}
