import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Reply } from "@fullstop/conformance";
import { anthropicWire } from "@fullstop/conformance/wires/anthropic";
import { onTestFinished } from "vitest";

/** A reply of the model, and what happens to it. */
export interface ModelReply extends Reply {
  /** Nothing follows the event with this text before the promise is fulfilled. */
  readonly pauseAt?: { readonly text: string; readonly until: Promise<void> };
  /** The connection breaks after the event with this text. */
  readonly breakAt?: string;
}

/** A server with the protocol of Anthropic, as the conformance suite writes it. */
export interface ModelServer {
  readonly url: string;
  requestCount(): number;
  /** A client has closed the connection before the end of its reply. */
  readonly abandoned: Promise<void>;
}

/** Answers each request with the next reply, until the test ends. */
export async function modelServer(replies: readonly ModelReply[]): Promise<ModelServer> {
  let count = 0;
  const abandoned = Promise.withResolvers<void>();
  const server = createServer((request, response) => {
    response.on("close", () => {
      if (!response.writableFinished) abandoned.resolve();
    });
    request.resume().on("end", () => void send(response, replies[count++]));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    const closed = once(server, "close");
    server.close();
    server.closeAllConnections();
    await closed;
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requestCount: () => count,
    abandoned: abandoned.promise,
  };
}

async function send(response: ServerResponse, reply: ModelReply | undefined): Promise<void> {
  if (reply === undefined) return void response.writeHead(500).end();
  const { pauseAt, breakAt } = reply;
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const data of anthropicWire.frames(reply).upToTerminal) {
    if (response.destroyed) return;
    const text = `event: ${JSON.parse(data).type}\ndata: ${data}\n\n`;
    await new Promise((resolve) => response.write(text, resolve));
    if (pauseAt !== undefined && data.includes(pauseAt.text)) await pauseAt.until;
    if (breakAt !== undefined && data.includes(breakAt)) return void response.destroy();
  }
  response.end();
}
