import type { IncomingMessage } from "node:http";
import { readableStream } from "./readable-stream.ts";

const withoutBody: readonly string[] = ["GET", "HEAD"];

/** https://www.rfc-editor.org/rfc/rfc9112.html#section-6.3 */
const hasBody = ({ method = "GET", headers }: IncomingMessage): boolean =>
  !withoutBody.includes(method) &&
  ("transfer-encoding" in headers || Number(headers["content-length"] ?? 0) > 0);

/** A request of `node:http` as a `Request`. `undefined`: its target is not a path. */
export function createRequest(incoming: IncomingMessage, signal: AbortSignal): Request | undefined {
  const { method = "GET", url = "" } = incoming;
  const address = `http://gateway${url}`;
  if (!url.startsWith("/") || !URL.canParse(address)) return undefined;
  return new Request(address, {
    method,
    headers: headersOf(incoming),
    signal,
    ...(hasBody(incoming) && {
      // Node can skip bodies that the gateway does not need.
      body: readableStream(incoming, { destroyOnReturn: false }),
      duplex: "half",
    }),
  });
}

const headersOf = ({ headersDistinct }: IncomingMessage): [string, string][] =>
  Object.entries(headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  );
