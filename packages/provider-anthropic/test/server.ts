import type { Adapter } from "@fullstop/core";
import { type AnthropicOptions, anthropic } from "@fullstop/provider-anthropic";
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

type Answer = readonly Event[] | string | (() => Response | Promise<Response>);

/** What the adapter sent, as the server got it. */
export interface Sent {
  readonly url: string;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a request body is asserted on at any depth
  readonly body: any;
}
export interface Server {
  readonly fetch: typeof globalThis.fetch;
  readonly requests: readonly Sent[];
  adapter(options?: AnthropicOptions, model?: string): Adapter;
}

/** A `fetch` that answers in order, for the real SDK. */
export function serve(...answers: readonly Answer[]): Server {
  const requests: Sent[] = [];
  const fetch: typeof globalThis.fetch = async (url, init) => {
    const answer = answers[requests.length];
    requests.push({
      url: String(url),
      headers: new Headers(init?.headers),
      body: JSON.parse(String(init?.body)),
    });
    if (answer === undefined) throw new Error("No answer is left.");
    if (typeof answer === "function") return answer();
    return sseResponse(typeof answer === "string" ? answer : bytes(answer));
  };
  return {
    fetch,
    requests,
    adapter: (options, model = "claude-sonnet-5-5") =>
      anthropic(model, { apiKey: "key", fetch, ...options }),
  };
}
