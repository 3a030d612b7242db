import { type Adapter, readTurn } from "@fullstop/core";
import { anthropic } from "@fullstop/provider-anthropic";
import { google, googleInteractions } from "@fullstop/provider-google";
import { ollama } from "@fullstop/provider-ollama";
import { openai, openaiChat } from "@fullstop/provider-openai";
import { expect, test } from "vitest";

/** Each has an object and a list. `JSON.stringify` overflows the stack at some thousand levels. */
const levels = 10_000;
const deepInput = (number: string): string =>
  `${'{"a":['.repeat(levels)}${number}${"]}".repeat(levels)}`;

interface Deep {
  /** A finished reply in one piece, with a call that has this input. */
  body(input: string): string;
  adapter(options: {
    readonly apiKey: string;
    readonly stream: false;
    readonly fetch: typeof globalThis.fetch;
  }): Adapter;
}
const call = '"type":"function_call","name":"list"';

const protocols: Readonly<Record<string, Deep>> = {
  Messages: {
    body: (input) =>
      `{"type":"message","id":"m","role":"assistant","content":[{"type":"tool_use","id":"c","name":"list","input":${input}}],"stop_reason":"tool_use"}`,
    adapter: (options) => anthropic("claude-sonnet-5-5", options),
  },
  Chat: {
    body: (input) =>
      `{"choices":[{"index":0,"finish_reason":"tool_calls","message":{"tool_calls":[{"id":"c","type":"function","function":{"name":"list","arguments":${JSON.stringify(input)}}}]}}]}`,
    adapter: (options) => openaiChat("gpt-6", options),
  },
  Responses: {
    body: (input) =>
      `{"object":"response","id":"r","status":"completed","output":[{${call},"id":"f","call_id":"c","status":"completed","arguments":${JSON.stringify(input)}}]}`,
    adapter: (options) => openai("gpt-6", options),
  },
  generateContent: {
    body: (input) =>
      `{"candidates":[{"index":0,"finishReason":"STOP","content":{"parts":[{"functionCall":{"name":"list","args":${input}}}]}}]}`,
    adapter: (options) => google("gemini-3.1-pro", options),
  },
  Interactions: {
    body: (input) =>
      `{"object":"interaction","id":"","status":"requires_action","steps":[{${call},"id":"c","arguments":${input}}]}`,
    adapter: (options) => googleInteractions("gemini-3.8-flash", options),
  },
  Ollama: {
    body: (input) =>
      `{"model":"m","message":{"role":"assistant","content":"","tool_calls":[{"function":{"name":"list","arguments":${input}}}]},"done":true,"done_reason":"stop"}`,
    adapter: ({ fetch }) => ollama("m", { fetch, stream: false }),
  },
};

const read = async ({ adapter, body }: Deep, input: string) => {
  const fetch = async () =>
    new Response(body(input), { headers: { "content-type": "application/json" } });
  return readTurn(adapter({ apiKey: "key", stream: false, fetch }), {
    messages: [{ role: "user", content: "Go." }],
    tools: [{ name: "list", description: "Lists.", inputSchema: { type: "object" } }],
  });
};

/** The second one is not a safe integer, so its digits are kept. A double holds it exactly. */
const numbers = ["1", "1e21"];

test.for(
  Object.entries(protocols).flatMap(([name, deep]) =>
    numbers.map((number) => ({ name, deep, number })),
  ),
)(
  "a call whose input has 20,000 levels and the number $number runs: $name",
  async ({ deep, number }) => {
    const input = deepInput(number);
    const turn = await read(deep, input);
    expect([turn.stopReason, turn.calls.length]).toEqual(["tool-use", 1]);
    const [block] = turn.message?.content.filter(({ type }) => type === "tool-call") ?? [];
    expect(block).toMatchObject({ inputText: input });
  },
);
