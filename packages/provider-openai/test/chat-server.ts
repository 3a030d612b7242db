import type { Adapter } from "@fullstop/core";
import { type OpenAIChatOptions, openaiChat } from "@fullstop/provider-openai";
import { type FakeServer, type Reply, replyServer, sseBytes } from "@tooling/test/fake-server";

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

export interface Server extends FakeServer {
  adapter(options?: OpenAIChatOptions, model?: string): Adapter;
}

/** A server of this protocol for the real SDK. Gives the replies in order. */
export function serve(...replies: readonly Reply<Event>[]): Server {
  const server = replyServer(replies, sseBytes);
  return {
    ...server,
    adapter: (options, model = "gpt-5.2") =>
      openaiChat(model, { apiKey: "key", fetch: server.fetch, ...options }),
  };
}
