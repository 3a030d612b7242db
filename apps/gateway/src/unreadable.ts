import { type Server, type ServerResponse, STATUS_CODES } from "node:http";
import { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { errorBody, type GatewayAnswer } from "./answers.ts";

const late = "ERR_HTTP_REQUEST_TIMEOUT";

/** The answers to what Node does not read to its end, by the code of its error. */
const answers: Readonly<Record<string, GatewayAnswer>> = {
  [late]: {
    status: 408,
    type: "request_timeout",
    message: "The request did not arrive in time. Send it again.",
  },
  HPE_HEADER_OVERFLOW: {
    status: 431,
    type: "request_too_large",
    message: "The head of the request is too large. Send fewer headers, or raise `--max-head`.",
  },
};
const notHttp: GatewayAnswer = {
  status: 400,
  type: "invalid_request",
  message: "The request is not valid HTTP/1.1.",
};
/** A tunnel would pass unguarded. */
const noTunnel: GatewayAnswer = {
  status: 405,
  type: "method_not_allowed",
  message: "This gateway opens no tunnels. Use its address as the base URL instead.",
};

/** Refuses with a sentence what does not become a request of the server. */
export function refuseUnreadable(server: Server): void {
  const replies = new WeakMap<Duplex, ServerResponse>();
  const refuse = (socket: Duplex, answer: GatewayAnswer): void => {
    const reply = replies.get(socket);
    const isReplying = reply?.headersSent === true && !reply.writableFinished;
    if (isReplying || !socket.writable) socket.destroy();
    else socket.end(textOf(answer), () => socket.destroy());
  };
  server.on("request", (request, reply) => replies.set(request.socket, reply));
  server.on("connect", (_, socket) => {
    socket.on("error", () => socket.destroy());
    refuse(socket, noTunnel);
  });
  server.on("clientError", ({ code }: NodeJS.ErrnoException, socket) => {
    const refuseThis = (): void => refuse(socket, answers[code ?? ""] ?? notHttp);
    // Node counts from the opening of the connection, and looks for late requests before it reads
    // what arrived while the process was busy. So it reads once more.
    if (code === late && socket instanceof Socket && socket.bytesRead === 0)
      setImmediate(() => replies.has(socket) || refuseThis());
    else refuseThis();
  });
}

function textOf(answer: GatewayAnswer): string {
  const { status } = answer;
  const body = JSON.stringify(errorBody(answer));
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`;
}
