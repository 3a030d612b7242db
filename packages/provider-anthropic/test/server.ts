import type { Adapter } from "@fullstop/core";
import { type AnthropicOptions, anthropic } from "@fullstop/provider-anthropic";
import { type FakeServer, type Reply, replyServer } from "@tooling/test/fake-server";
import { bytes, type Event } from "./events.ts";

export interface Server extends FakeServer {
  adapter(options?: AnthropicOptions, model?: string): Adapter;
}

/** A server of this protocol for the real SDK. Gives the answers in order. */
export function serve(...replies: readonly Reply<Event>[]): Server {
  const server = replyServer(replies, bytes);
  return {
    ...server,
    adapter: (options, model = "claude-sonnet-5-5") =>
      anthropic(model, { apiKey: "key", fetch: server.fetch, ...options }),
  };
}
