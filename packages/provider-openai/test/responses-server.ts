import type { Adapter } from "@fullstop/core";
import { type OpenAIOptions, openai } from "@fullstop/provider-openai";
import { type FakeServer, type Reply, replyServer, sseBytes } from "@tooling/test/fake-server";
import type { Event } from "@tooling/test/openai-responses";

export interface Server extends FakeServer {
  adapter(options?: OpenAIOptions, model?: string): Adapter;
}

/** A server of this protocol for the real SDK. Gives the replies in order. */
export function serve(...replies: readonly Reply<Event>[]): Server {
  const server = replyServer(replies, sseBytes);
  return {
    ...server,
    adapter: (options, model = "gpt-5.5") =>
      openai(model, { apiKey: "key", fetch: server.fetch, ...options }),
  };
}
