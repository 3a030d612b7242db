import type { Adapter } from "@fullstop/core";
import { type BedrockOptions, bedrock } from "@fullstop/provider-bedrock";
import { type FakeServer, fakeServer } from "@tooling/test/fake-server";
import { eventResponse } from "./codec.ts";
import { type Fields, replyEvents, text } from "./events.ts";
import { credentials, model } from "./subject.ts";

export const hello: readonly Fields[] = replyEvents([text("Hello.")], {
  stop: "end_turn",
  output: 5,
});

export interface Server extends FakeServer {
  adapter(options?: BedrockOptions, name?: string): Adapter;
}

/** A server of this protocol for the real SDK. Gives the answers in order. */
export function answer(
  ...answers: readonly (readonly Fields[] | (() => Response | Promise<Response>))[]
): Server {
  const server = fakeServer(
    answers.map((one) => (typeof one === "function" ? one : () => eventResponse(one))),
  );
  return {
    ...server,
    adapter: (options, name = model) =>
      bedrock(name, { region: "eu-central-1", credentials, fetch: server.fetch, ...options }),
  };
}
