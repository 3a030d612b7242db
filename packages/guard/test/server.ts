import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout } from "node:timers/promises";
import type { GuardOptions, GuardReport } from "@fullstop/guard";

/** A request as the server received it. */
export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}
/** A reply of the server. `fault` says how the connection ends after the last chunk. */
export interface PlayedReply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly chunks: readonly (string | Uint8Array)[];
  /** Milliseconds before each chunk but the first. */
  readonly pauseMs?: number;
  /** The chunks behind the first wait for this. */
  readonly goOn?: Promise<unknown>;
  readonly fault?: "reset" | "stall";
}
export type Play = (request: ReceivedRequest, index: number) => PlayedReply;

/** A provider on the loopback. */
export interface TestServer {
  readonly url: string;
  readonly requests: readonly ReceivedRequest[];
  /** The number of requests whose connection the client closed before their reply ended. */
  readonly abandoned: () => number;
  close(): Promise<void>;
}

/** Responses that the server itself broke off. */
const isReset = new WeakSet<ServerResponse>();

async function send(response: ServerResponse, reply: PlayedReply): Promise<void> {
  response.writeHead(reply.status ?? 200, { ...eventStream, ...reply.headers });
  response.flushHeaders();
  for (const [at, chunk] of reply.chunks.entries()) {
    if (at > 0) await reply.goOn;
    if (at > 0 && reply.pauseMs !== undefined) await setTimeout(reply.pauseMs);
    response.write(chunk);
  }
  if (reply.fault === "stall") return;
  if (reply.fault === undefined) return void response.end();
  // The bytes must arrive before the reset, else the client loses them.
  await setTimeout(20);
  isReset.add(response);
  response.destroy();
}

/** Reads a body, also one that breaks off. `onText` gets all that came, after each piece. */
export async function readAll(
  { body }: Response,
  onText?: (text: string) => void,
): Promise<{ readonly text: string; readonly isBroken: boolean }> {
  const decoder = new TextDecoder();
  let text = "";
  try {
    for await (const bytes of body ?? []) {
      text += decoder.decode(bytes, { stream: true });
      onText?.(text);
    }
    return { text, isBroken: false };
  } catch {
    return { text, isBroken: true };
  }
}

/** What a client got, and what the guard reported. */
export interface Guarded {
  readonly status: number;
  readonly text: string;
  /** The connection broke after the text. */
  readonly isBroken: boolean;
  readonly report: GuardReport | undefined;
}

/** Sends a request through a guard, and reads all bytes. */
export async function readGuarded(
  send: (options: GuardOptions) => Promise<Response>,
  options?: GuardOptions,
): Promise<Guarded> {
  let report: GuardReport | undefined;
  const onReply = (given: GuardReport): void => {
    report = given;
  };
  const response = await send({ onReply, ...options });
  return { status: response.status, ...(await readAll(response)), report };
}

/** A reply whose later chunks wait until its client has read `text`. */
export function pausedUntil(
  text: string,
  chunks: PlayedReply["chunks"],
): { readonly reply: PlayedReply; readonly onText: (read: string) => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  const onText = (read: string): void => {
    if (read.includes(text)) resolve();
  };
  return { reply: { chunks, goOn: promise }, onText };
}

const eventStream = { "content-type": "text/event-stream; charset=utf-8" };

export async function startServer(play: Play): Promise<TestServer> {
  const requests: ReceivedRequest[] = [];
  let abandoned = 0;
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = "", url: path = "", headers } = request;
    const received = { method, path, headers, body: await text(request) };
    response.on("close", () => {
      if (!response.writableFinished && !isReset.has(response)) abandoned++;
    });
    await send(response, play(received, requests.push(received) - 1));
  };
  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    abandoned: () => abandoned,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
