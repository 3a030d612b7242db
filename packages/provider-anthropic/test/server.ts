import type { Adapter } from "@fullstop/core";
import { type AnthropicOptions, anthropic } from "@fullstop/provider-anthropic";
import { type FakeServer, fakeServer } from "@tooling/test/fake-server";
import { bytes, type Event } from "./events.ts";

export const sseResponse = (body: BodyInit, init: ResponseInit = {}): Response =>
  new Response(body, {
    ...init,
    headers: {
      "content-type": "text/event-stream; charset=utf-8",
      "request-id": "req_1",
      ...init.headers,
    },
  });
export const jsonResponse = (body: unknown, init: ResponseInit = {}): Response =>
  new Response(JSON.stringify(body), {
    ...init,
    headers: { "content-type": "application/json", "request-id": "req_1", ...init.headers },
  });

export interface Server extends FakeServer {
  adapter(options?: AnthropicOptions, model?: string): Adapter;
}

/** A server of this protocol for the real SDK. Gives the answers in order. */
export function serve(
  ...answers: readonly (readonly Event[] | string | (() => Response | Promise<Response>))[]
): Server {
  const server = fakeServer(
    answers.map((answer) => {
      if (typeof answer === "function") return answer;
      return () => sseResponse(typeof answer === "string" ? answer : bytes(answer));
    }),
  );
  return {
    ...server,
    adapter: (options, model = "claude-sonnet-5-5") =>
      anthropic(model, { apiKey: "key", fetch: server.fetch, ...options }),
  };
}
