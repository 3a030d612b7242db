import type { Adapter } from "@fullstop/core";
import {
  type Dialect,
  type DialectName,
  type OpenAICompatibleOptions,
  openaiCompatible,
} from "@fullstop/provider-openai-compatible";
import { type FakeServer, type Reply, replyServer, sseBytes } from "@tooling/test/fake-server";

type Fields = Readonly<Record<string, unknown>>;
export const done: "[DONE]" = "[DONE]";
export type Event = Fields | typeof done;

export interface Server extends FakeServer {
  adapter(
    dialect: DialectName | (Dialect & { readonly name: string }),
    options?: OpenAICompatibleOptions,
  ): Adapter;
}

/** A server of this protocol for the real SDK. Gives the replies in order. */
export function serve(...replies: readonly Reply<Event>[]): Server {
  const server = replyServer(replies, sseBytes);
  return {
    ...server,
    adapter: (dialect, options) =>
      openaiCompatible(dialect, "m", {
        baseURL: "https://host.example/v1",
        apiKey: "key",
        fetch: server.fetch,
        ...options,
      }),
  };
}
