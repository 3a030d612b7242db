import type { Adapter } from "@fullstop/core";
import { type OpenAIChatOptions, openaiChat } from "@fullstop/provider-openai";

export type Fields = Readonly<Record<string, unknown>>;

/** A chunk with one choice. `choice`: its fields besides the delta. */
export const chunk = (delta: Fields, choice: Fields = {}): Fields => ({
  id: "chatcmpl-1",
  object: "chat.completion.chunk",
  created: 1,
  model: "gpt-5.2",
  choices: [{ index: 0, delta, finish_reason: null, ...choice }],
});
export const textChunk = (content: string): Fields => chunk({ content });
export const finishChunk = (reason: string | null): Fields => chunk({}, { finish_reason: reason });
export const usageChunk = (output: number, more: Fields = {}): Fields => ({
  ...chunk({}),
  choices: [],
  usage: { prompt_tokens: 10, completion_tokens: output, total_tokens: 10 + output, ...more },
});
export const callsChunk = (...deltas: readonly Fields[]): Fields => chunk({ tool_calls: deltas });
export const callChunk = (
  index: number,
  [id, name]: readonly [id: string, name: string],
  json: string,
): Fields => callsChunk({ index, id, type: "function", function: { name, arguments: json } });
export const argumentsDelta = (index: number, json: string): Fields =>
  callsChunk({ index, function: { arguments: json } });
export const done: "[DONE]" = "[DONE]";

export type Event = Fields | typeof done;
export const bytes = (events: readonly Event[]): string =>
  events
    .map((event) => `data: ${typeof event === "string" ? event : JSON.stringify(event)}\n\n`)
    .join("");
export const sseResponse = (body: BodyInit, init: ResponseInit = {}): Response =>
  new Response(body, {
    ...init,
    headers: { "content-type": "text/event-stream", "x-request-id": "req_1", ...init.headers },
  });
export const jsonResponse = (body: unknown, init: ResponseInit = {}): Response =>
  new Response(JSON.stringify(body), {
    ...init,
    headers: { "content-type": "application/json", "x-request-id": "req_1", ...init.headers },
  });
/** A reply that is not streamed. */
export const completion = (message: Fields, reason: string | null, output = 5): Fields => ({
  id: "chatcmpl-1",
  object: "chat.completion",
  created: 1,
  model: "gpt-5.2",
  choices: [
    {
      index: 0,
      message: { role: "assistant", content: null, refusal: null, ...message },
      finish_reason: reason,
    },
  ],
  usage: { prompt_tokens: 10, completion_tokens: output, total_tokens: 10 + output },
});

type Answer = readonly Event[] | string | (() => Response | Promise<Response>);

/** A request, as the server received it. */
export interface Sent {
  readonly url: string;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a request body is asserted on at any depth
  readonly body: any;
}
export interface Server {
  readonly fetch: typeof globalThis.fetch;
  readonly requests: readonly Sent[];
  adapter(options?: OpenAIChatOptions, model?: string): Adapter;
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
    adapter: (options, model = "gpt-5.2") =>
      openaiChat(model, { apiKey: "key", fetch, ...options }),
  };
}
