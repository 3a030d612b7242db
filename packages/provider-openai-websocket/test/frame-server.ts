import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import type { Fields } from "@fullstop/core/adapter";
import { type WebSocket, WebSocketServer } from "ws";

/** A server of sockets whose frames a test writes itself. */
export interface FrameServer {
  /** `http://127.0.0.1:<port>/v1` */
  readonly url: string;
  /** What clients sent, in order. */
  readonly received: readonly Fields[];
  readonly sockets: readonly WebSocket[];
  /** Of each handshake. */
  readonly headers: readonly IncomingHttpHeaders[];
  close(): void;
}

/** Answers a request; `count` is the number of requests before it. */
export type AnswerFrames = (socket: WebSocket, count: number) => void;
/** Answers a handshake with bytes of HTTP. `undefined` accepts it. */
export type AnswerUpgrade = (request: IncomingMessage, tcp: Duplex) => string | undefined;

export async function frameServer(
  answer: AnswerFrames,
  refuse: AnswerUpgrade = () => undefined,
): Promise<FrameServer> {
  const server = createServer();
  const wss = new WebSocketServer({ noServer: true });
  const received: Fields[] = [];
  const sockets: WebSocket[] = [];
  const headers: IncomingHttpHeaders[] = [];
  server.on("upgrade", (request, tcp, head) => {
    headers.push(request.headers);
    const refusal = refuse(request, tcp);
    if (refusal !== undefined) {
      tcp.end(refusal);
      return;
    }
    wss.handleUpgrade(request, tcp, head, (socket) => {
      sockets.push(socket);
      socket.on("message", (data) => {
        received.push(JSON.parse(String(data)) as Fields);
        answer(socket, received.length - 1);
      });
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    received,
    sockets,
    headers,
    close: () => {
      for (const socket of sockets) socket.terminate();
      server.closeAllConnections();
      server.close();
    },
  };
}

export const sendEvents = (socket: WebSocket, events: readonly object[]): void => {
  for (const event of events) socket.send(JSON.stringify(event));
};
