import type { Adapter } from "@fullstop/core";
import { type OllamaOptions, ollama } from "@fullstop/provider-ollama";
import { type FakeServer, fakeServer } from "@tooling/test/fake-server";
import { type Fields, ndjsonOf } from "./chunks.ts";

export const stream = (body: BodyInit): Response =>
  new Response(body, { headers: { "content-type": "application/x-ndjson" } });
export const refusal = (status: number, error: string): Response =>
  Response.json({ error }, { status });

export interface Server extends FakeServer {
  adapter(options?: OllamaOptions, model?: string): Adapter;
}

/** A server of this protocol. Gives the answers in order: lines, a body, or a response. */
export function serveOllama(
  ...answers: readonly (readonly Fields[] | string | (() => Response | Promise<Response>))[]
): Server {
  const server = fakeServer(
    answers.map((answer) => {
      if (typeof answer === "function") return answer;
      return () => stream(typeof answer === "string" ? answer : ndjsonOf(answer));
    }),
  );
  return {
    ...server,
    adapter: (options, model = "qwen3") => ollama(model, { fetch: server.fetch, ...options }),
  };
}
