import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type Answer = (response: ServerResponse, request: IncomingMessage) => void;

export interface Loopback extends AsyncDisposable {
  readonly address: string;
}
/** Starts a real server. */
export async function serve(answer: Answer): Promise<Loopback> {
  const server = createServer((request, response) => {
    request.resume();
    request.on("end", () => answer(response, request));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    server.close();
  };
  return { address: addressOf(server.address()), [Symbol.asyncDispose]: close };
}

/** A local address without a server. */
export async function deadAddress(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = addressOf(server.address());
  await new Promise((resolve) => server.close(resolve));
  return address;
}
const addressOf = (address: string | AddressInfo | null): string =>
  `http://127.0.0.1:${(address as AddressInfo).port}`;

function contentTypeOf(body: unknown): string {
  if (typeof body !== "string") return "application/json";
  return body.startsWith("<") ? "text/html" : "text/plain";
}

export const failing =
  (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Answer =>
  (response) => {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    response.writeHead(status, { "content-type": contentTypeOf(body), ...headers });
    response.end(text);
  };

/** How an event is written. */
export type WriteEvent = (payload: string) => string;
const writeEvent: WriteEvent = (payload) => `data: ${payload}\n\n`;

/** A stream of these payloads; `then` ends it. */
export const streaming =
  (
    payloads: readonly string[],
    { write = writeEvent }: { readonly write?: WriteEvent | undefined },
    then: Answer = (response) => response.end(),
  ): Answer =>
  (response, request) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(payloads.map(write).join(""), () => then(response, request));
  };
