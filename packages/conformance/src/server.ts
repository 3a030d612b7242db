import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as after } from "node:timers/promises";
import zlib from "node:zlib";
import {
  type Answer,
  createAnswerSource,
  eventStream,
  type Host,
  type Received,
  type RequestHandler,
} from "./harness/host.ts";

export { answerEvents } from "./framing/index.ts";
export type { Answer, Received, RequestHandler } from "./harness/host.ts";

/** A server that listens until it is closed. */
export interface Serving {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  /** The last 100 requests. */
  readonly requests: readonly Received[];
  /** Ends every connection, also stalled ones. */
  close(): Promise<void>;
}

/** Larger requests are refused. */
const maxRequestBytes = 32 * 1024 * 1024;
const maxKeptRequests = 100;
/** How much of a request decides whether it is answered early. */
const maxBeginning = 128 * 1024;

/** The encodings that clients compress requests with. */
const decoders: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  gzip: zlib.gunzipSync,
  deflate: zlib.inflateSync,
  br: zlib.brotliDecompressSync,
  // Node 22 has it from 22.15.
  zstd: (bytes) => zlib.zstdDecompressSync(bytes),
};

async function receive(
  request: IncomingMessage,
  { isAnsweredEarly = () => false }: ServeOptions,
): Promise<Received> {
  const pieces: Buffer[] = [];
  let size = 0;
  // A request that is answered early must stay open.
  const body: AsyncIterable<Buffer> = request.iterator({ destroyOnReturn: false });
  for await (const piece of body) {
    size += piece.length;
    if (size > maxRequestBytes)
      throw new Error(`The request is larger than ${maxRequestBytes} bytes.`);
    pieces.push(piece);
    if (size <= maxBeginning && isAnsweredEarly(Buffer.concat(pieces).toString("utf8"))) break;
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
    bytes: new Uint8Array(whole),
  };
}

async function untilTaken(response: ServerResponse): Promise<void> {
  const listening = new AbortController();
  const { signal } = listening;
  await Promise.race([once(response, "drain", { signal }), once(response, "close", { signal })]);
  listening.abort();
}

/** Writes the chunks one by one. Each waits until the client has taken the one before. */
async function send(
  response: ServerResponse,
  { status = 200, headers = eventStream, chunks, fault, faultDelayMs = 0 }: Answer,
): Promise<void> {
  if (fault === "refuse") return void response.destroy();
  response.writeHead(status, headers);
  response.flushHeaders();
  for (const chunk of chunks) {
    if (response.destroyed) return;
    if (!response.write(chunk)) await untilTaken(response);
    await new Promise(setImmediate);
  }
  if (fault === undefined) response.end();
  if (fault === "reset") {
    if (faultDelayMs > 0) await after(faultDelayMs);
    response.socket?.resetAndDestroy();
  }
}

/** Where a server listens. */
export interface ServeOptions {
  /** A free port by default. */
  readonly port?: number | undefined;
  /** Whether a request is answered when only this has come of its body; by default none is. */
  isAnsweredEarly?(beginning: string): boolean;
}

/** A server on the loopback with every fault of a provider. Rejects if the port is taken. */
export async function serve(answer: RequestHandler, options: ServeOptions = {}): Promise<Serving> {
  const requests: Received[] = [];
  let count = 0;
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const received = await receive(request, options);
    requests.push(received);
    if (requests.length > maxKeptRequests) requests.shift();
    await send(response, await answer(received, count++));
  };
  const server: Server = createServer((request, response) => {
    respond(request, response).catch((thrown: unknown) =>
      response.destroy(thrown instanceof Error ? thrown : new Error(String(thrown))),
    );
  });
  server.listen(options.port ?? 0, "127.0.0.1");
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

/** A host that is reached over a real socket. */
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
