import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Wire } from "@fullstop/conformance";
import { answerEvents } from "@fullstop/conformance/server";

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

/** A stream of these events, in the framing of the wire; `then` ends it. */
export const streaming =
  (
    events: readonly string[],
    { wire }: { readonly wire: Wire },
    then: Answer = (response) => response.end(),
  ): Answer =>
  (response, request) => {
    const { headers, chunks } = answerEvents(wire, events);
    response.writeHead(200, headers);
    response.write(Buffer.concat(chunks), () => then(response, request));
  };

/** How many bytes a cut takes from the end of an event: less than what follows the data. */
const cutLength = 3;

/** The bytes of an event without the last ones, which leave it incomplete in every framing. */
export function cutEvent(event: string, { wire }: { readonly wire: Wire }): Buffer {
  return Buffer.concat(answerEvents(wire, [event]).chunks).subarray(0, -cutLength);
}
