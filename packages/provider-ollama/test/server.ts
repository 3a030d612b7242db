import type { Adapter } from "@fullstop/core";
import { type OllamaOptions, ollama } from "@fullstop/provider-ollama";
import { type FakeServer, type Reply, replyServer } from "@tooling/test/fake-server";
import { type Fields, ndjsonOf } from "./chunks.ts";

export const stream = (body: BodyInit): Response =>
  new Response(body, { headers: { "content-type": "application/x-ndjson" } });
export const refusal = (status: number, error: string): Response =>
  Response.json({ error }, { status });

export interface Server extends FakeServer {
  adapter(options?: OllamaOptions, model?: string): Adapter;
}

/** A server of this protocol. Gives the answers in order: lines, a body, or a response. */
export function serveOllama(...replies: readonly Reply<Fields>[]): Server {
  const server = replyServer(replies, ndjsonOf, stream);
  return {
    ...server,
    adapter: (options, model = "qwen3") => ollama(model, { fetch: server.fetch, ...options }),
  };
}
