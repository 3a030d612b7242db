import Anthropic from "@anthropic-ai/sdk";
import { guard } from "@fullstop/guard";
import { askAll, createPlainClient, laterRuns, ways } from "@tooling/test/prefix-cells";
import { expect, test } from "vitest";

const tools: Anthropic.Tool[] = [
  {
    name: "write",
    input_schema: { type: "object", properties: { path: { type: "string" } } },
  },
];

/** Asks through the vendor's SDK. A request that fails has no reply. */
const replyOf =
  (stream: boolean) => async (baseURL: string, messages: Anthropic.MessageParam[]) => {
    const client = new Anthropic({ apiKey: "key", baseURL, fetch: guard(), maxRetries: 0 });
    const request = { model: "claude-sonnet-5-5", max_tokens: 1024, tools, messages };
    try {
      return stream
        ? await client.messages.stream(request).finalMessage()
        : await client.messages.create(request);
    } catch {
      return undefined;
    }
  };

test.each(ways)("no request is refused behind a reply: $name", async ({ stream, cell }) => {
  const { ran, ask } = createPlainClient<Anthropic.MessageParam>(replyOf(stream));
  expect(await askAll(cell, ask)).toEqual([]);
  expect(ran).toEqual([...cell.runs, ...laterRuns]);
});

/** OpenRouter gives Claude's thinking over Chat as a list beside the calls. */
const thought = (text: string) => ({ type: "reasoning.text", text, signature: `signed ${text}` });
const chatCall = (index: number, args: string) => ({
  tool_calls: [
    { index, id: `call_${index}`, type: "function", function: { name: "write", arguments: args } },
  ],
});
const chatReplies: Readonly<Record<string, readonly [string, string, readonly string[]]>> = {
  streamed: [
    "text/event-stream",
    [
      { delta: { role: "assistant", reasoning_details: [thought("A")] } },
      { delta: chatCall(0, "{}") },
      { delta: { reasoning_details: [thought("B")] } },
      { delta: chatCall(1, '{"path') },
      { delta: {}, finish_reason: "length" },
    ]
      .map(
        (choice) => `data: ${JSON.stringify({ id: "c", choices: [{ index: 0, ...choice }] })}\n\n`,
      )
      .join(""),
    ["signed A"],
  ],
  "in one piece": [
    "application/json",
    JSON.stringify({
      id: "c",
      choices: [
        {
          index: 0,
          finish_reason: "length",
          message: {
            role: "assistant",
            content: "Hi.",
            reasoning_details: [thought("A"), thought("B"), { type: "reasoning.text", text: "C" }],
            ...chatCall(0, "{}"),
          },
        },
      ],
    }),
    [],
  ],
};
test.each(Object.entries(chatReplies))(
  "signed reasoning of Chat leaves with the calls: %s",
  async (_, [type, body, kept]) => {
    const fetch = guard(async () => new Response(body, { headers: { "content-type": type } }));
    const reply = await fetch("https://openrouter.ai/api/v1/chat/completions", {
      method: "POST",
      body: JSON.stringify({ model: "anthropic/claude-sonnet-5.5", messages: [], tools: [] }),
    });
    const text = await reply.text();
    expect(text.match(/signed \w/g) ?? []).toEqual(kept);
    expect(text).not.toContain("call_0");
  },
);
