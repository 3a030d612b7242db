import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { onTestFinished } from "vitest";
import type { TurnEvent } from "../src/adapter/index.ts";

export const frame = (event: TurnEvent | readonly TurnEvent[]): string =>
  `data: ${JSON.stringify(event)}\n\n`;

export interface Loopback {
  readonly baseURL: string;
  /** Settles when the client has closed the connection. */
  readonly closed: Promise<void>;
}
/** A real server for one test. */
export async function serve(
  answer: (response: ServerResponse, socket: Socket) => void,
): Promise<Loopback> {
  const closed = Promise.withResolvers<void>();
  const server = createServer((request, response) => {
    request.resume();
    request.socket.on("close", () => closed.resolve());
    answer(response, request.socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    baseURL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    closed: closed.promise,
  };
}

/** The head of an event stream, and its first frames. */
export function begin(
  response: ServerResponse,
  ...events: readonly (TurnEvent | readonly TurnEvent[])[]
): void {
  response.writeHead(200, { "content-type": "text/event-stream", "request-id": "req_1" });
  response.write(events.map(frame).join(""));
}

/** An address of this machine where nobody listens any more. */
export async function deadURL(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}`;
}
