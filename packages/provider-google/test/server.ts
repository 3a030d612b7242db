import type { Adapter } from "@fullstop/core";
import { type GoogleOptions, google } from "@fullstop/provider-google";
import { type FakeServer, type Reply, replyServer } from "@tooling/test/fake-server";
import { bytes, type Chunk } from "./chunks.ts";

export const sseResponse = (body: BodyInit, init: ResponseInit = {}): Response =>
  new Response(body, {
    ...init,
    headers: { "content-type": "text/event-stream", ...init.headers },
  });
export const errorResponse = (
  status: number,
  error: object,
  headers: Record<string, string> = {},
): Response => Response.json({ error: { code: status, ...error } }, { status, headers });

export interface Server extends FakeServer {
  adapter(options?: GoogleOptions, model?: string): Adapter;
}

/** A server of this protocol for the real SDK. Gives the answers in order. */
export function serve(...replies: readonly Reply<Chunk>[]): Server {
  const server = replyServer(replies, bytes, sseResponse);
  return {
    ...server,
    adapter: (options, model = "gemini-3.1-pro") =>
      google(model, { apiKey: "key", fetch: server.fetch, ...options }),
  };
}
