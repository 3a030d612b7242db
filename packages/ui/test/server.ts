import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream } from "node:stream/web";
import { onTestFinished } from "vitest";

export type Handler = (request: Request) => Response | Promise<Response>;

/** A handler behind `node:http` on the loopback, until the test ends. Returns its address. */
export async function listen(handler: Handler): Promise<string> {
  const server = createServer((incoming, outgoing) => {
    answer(handler, incoming, outgoing).catch((thrown: unknown) => {
      if (outgoing.headersSent) outgoing.destroy();
      else outgoing.writeHead(500).end(String(thrown));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    const closed = once(server, "close");
    server.close();
    server.closeAllConnections();
    await closed;
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function answer(
  handler: Handler,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const body =
    incoming.method === "POST"
      ? await new Response(Readable.toWeb(incoming) as BodyInit).text()
      : undefined;
  const headers = new Headers(incoming.headers as Record<string, string>);
  const url = new URL(incoming.url ?? "/", "http://127.0.0.1");
  const init = { method: incoming.method ?? "GET", headers, ...(body !== undefined && { body }) };
  const response = await handler(new Request(url, init));
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  if (response.body === null) return void outgoing.end();
  // A client that went away is no failure of the server.
  await pipeline(Readable.fromWeb(response.body as ReadableStream), outgoing).catch(() => {});
}
