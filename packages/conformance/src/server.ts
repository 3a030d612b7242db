import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import zlib from "node:zlib";
import {
  type Answer,
  createAnswerSource,
  eventStream,
  type Host,
  type Received,
  type RequestHandler,
} from "./harness/host.ts";

export type { Answer, Received, RequestHandler as Answering } from "./harness/host.ts";

/** A server that listens, until it is closed. */
export interface Serving {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  /** All requests so far, the last hundred of them. */
  readonly requests: readonly Received[];
  /** Ends every connection, stalled ones too. */
  close(): Promise<void>;
}

/** The most bytes of a request that are read, and the most requests that are remembered. */
const largest = 32 * 1024 * 1024;
const remembered = 100;

/** How clients compress what they send. */
const decoders: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  gzip: zlib.gunzipSync,
  deflate: zlib.inflateSync,
  br: zlib.brotliDecompressSync,
  // Node 22 had it from 22.15 on.
  zstd: (bytes) => zlib.zstdDecompressSync(bytes),
};

async function receive(request: IncomingMessage): Promise<Received> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    size += piece.length;
    if (size > largest) throw new Error(`The request is larger than ${largest} bytes.`);
    pieces.push(piece);
  }
  const decode = decoders[String(request.headers["content-encoding"]).toLowerCase()];
  const whole = Buffer.concat(pieces);
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
  );
  const path = new URL(request.url ?? "/", "http://127.0.0.1").pathname;
  return {
    method: request.method ?? "GET",
    path,
    headers,
    body: (decode?.(whole) ?? whole).toString("utf8"),
  };
}

async function taken(response: ServerResponse): Promise<void> {
  const over = new AbortController();
  const { signal } = over;
  await Promise.race([once(response, "drain", { signal }), once(response, "close", { signal })]);
  over.abort();
}

/** Written one by one, each when the client took the one before. */
async function send(
  response: ServerResponse,
  { status = 200, headers = eventStream, chunks, fault }: Answer,
): Promise<void> {
  if (fault === "refuse") return void response.destroy();
  response.writeHead(status, headers);
  response.flushHeaders();
  for (const chunk of chunks) {
    if (response.destroyed) return;
    if (!response.write(chunk)) await taken(response);
    await new Promise(setImmediate);
  }
  if (fault === undefined) response.end();
  if (fault === "reset") response.socket?.resetAndDestroy();
}

/** A server on the loopback, with every fault a provider can have. */
export async function serve(answer: RequestHandler): Promise<Serving> {
  const requests: Received[] = [];
  let count = 0;
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const received = await receive(request);
    requests.push(received);
    if (requests.length > remembered) requests.shift();
    await send(response, await answer(received, count++));
  };
  const server: Server = createServer((request, response) => {
    respond(request, response).catch((thrown: unknown) =>
      response.destroy(thrown instanceof Error ? thrown : new Error(String(thrown))),
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    close: async () => {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** A host behind a real socket: each request gets the answer that was set before it. */
export async function overSockets(): Promise<Host> {
  const answers = createAnswerSource();
  let count = 0;
  const serving = await serve((request) => {
    count++;
    return answers.next(request);
  });
  return {
    endpoint: { baseURL: serving.url, apiKey: "not-a-key" },
    usesNetwork: true,
    answer: answers.set,
    received: () => serving.requests.at(-1),
    count: () => count,
    close: serving.close,
  };
}
