import { type Fetch, guard } from "@fullstop/guard";
import { expect, test } from "vitest";

const chunk = (delta: object, finish_reason: string | null = null): string =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
const call = { id: "call_1", type: "function", function: { name: "read", arguments: "{}" } };
const stream = `${chunk({ tool_calls: [{ index: 0, ...call }] })}${chunk({}, "tool_calls")}data: [DONE]\n\n`;
const body = JSON.stringify({
  choices: [{ index: 0, message: { tool_calls: [call] }, finish_reason: "tool_calls" }],
});

test.each([
  ["a stream", "text/event-stream", stream],
  ["a JSON body", "application/json", body],
])("%s that begins with a byte order mark or white space keeps its call", async (_, type, text) => {
  for (const lead of ["\uFEFF", "\n", " \n", "\uFEFF\n "]) {
    const provider: Fetch = async () =>
      new Response(lead + text, { headers: { "content-type": type } });
    const response = await guard(provider)("http://provider.test/v1/chat/completions", {
      method: "POST",
      body: JSON.stringify({ model: "m", messages: [] }),
    });
    const bytes = await response.arrayBuffer();
    expect(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes)).toBe(lead + text);
  }
});
