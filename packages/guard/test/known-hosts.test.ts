import { type GuardOptions, guard, knownHosts } from "@fullstop/guard";
import { expect, test } from "vitest";
import { startServer } from "./server.ts";

const chunk = (delta: object, reason: string | null, more: object = {}): string =>
  `data: ${JSON.stringify({
    id: "chatcmpl-1",
    object: "chat.completion.chunk",
    created: 1,
    model: "gpt-5.5",
    choices: [{ index: 0, delta, finish_reason: reason }],
    ...more,
  })}\n\n`;
const call = {
  index: 0,
  id: "call_1",
  type: "function",
  function: { name: "go", arguments: "{}" },
};
const usage = { prompt_tokens: 5, completion_tokens: 7, total_tokens: 12 };
/** A call under a blank stop reason, with a usage report and `[DONE]`. */
const blank = `${chunk({ role: "assistant", tool_calls: [call] }, null)}${chunk({}, "")}${chunk({}, null, { choices: [], usage })}data: [DONE]\n\n`;

async function replyThrough(options: GuardOptions): Promise<string> {
  const server = await startServer(() => ({ chunks: [blank] }));
  try {
    const response = await guard(fetch, options)(`${server.url}/v1/chat/completions`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        model: "gpt-5.5",
        stream: true,
        messages: [{ role: "user", content: "Go." }],
        tools: [{ type: "function", function: { name: "go", parameters: { type: "object" } } }],
      }),
    });
    return await response.text();
  } finally {
    await server.close();
  }
}

test.each(["openai", "mistral"])(
  "%s never leaves the stop reason out, also behind another address",
  async (name) => {
    const facts = knownHosts[name]?.facts;
    expect(facts).toBeDefined();
    expect(await replyThrough({})).not.toContain("call_1");
    expect(await replyThrough({ host: () => ({ doneEnds: true }) })).toContain("call_1");
    expect(await replyThrough({ host: () => facts })).not.toContain("call_1");
  },
);
