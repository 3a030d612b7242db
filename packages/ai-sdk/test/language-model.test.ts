import { languageModel } from "@fullstop/ai-sdk";
import { anthropic } from "@fullstop/provider-anthropic";
import { mock, type Say } from "@fullstop/provider-mock";
import { jsonResponse } from "@tooling/test/fake-server";
import { generateText, isStepCount, jsonSchema, Output, streamText, ToolLoopAgent, tool } from "ai";
import { expect, test } from "vitest";
import { z } from "zod";
import { call, message, text, thinking, world } from "./replies.ts";

const write = tool({
  description: "Write a file.",
  inputSchema: jsonSchema<{ path: string }>({
    type: "object",
    properties: { path: { type: "string" } },
    required: ["path"],
  }),
  execute: async ({ path }) => `Wrote ${path}.`,
});
const writes: Say = { calls: [{ name: "write", input: { path: "a" } }] };

test("the next request has the signature of the reasoning, byte for byte", async () => {
  const { fetch, requests, ran, tools } = world([
    message([...thinking(0, "Hm.", "c2ln"), ...call(1, "toolu_1", '{ "path": "a" }')], "tool_use"),
    message(text(0, "Done."), "end_turn"),
  ]);
  const model = languageModel(anthropic("claude-sonnet-5-5", { apiKey: "key", fetch }));
  const result = streamText({ model, tools, prompt: "Write.", stopWhen: isStepCount(5) });
  expect(await result.text).toBe("Done.");
  expect(ran).toEqual(["a"]);
  expect(requests[1]?.body.messages.slice(1)).toMatchObject([
    {
      role: "assistant",
      content: [
        { type: "thinking", thinking: "Hm.", signature: "c2ln" },
        { type: "tool_use", id: "toolu_1", name: "write", input: { path: "a" } },
      ],
    },
    { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_1" }] },
  ]);
});

test("a request has the instructions, files, tools, choice, cap and effort of AI SDK", async () => {
  const adapter = mock([writes]);
  const { warnings } = await generateText({
    model: languageModel(adapter),
    instructions: "Be brief.",
    messages: [
      {
        role: "user",
        content: [
          { type: "text", text: "Look." },
          { type: "file", mediaType: "image/png", data: new Uint8Array([1, 2, 3]) },
        ],
      },
    ],
    tools: { write },
    toolChoice: { type: "tool", toolName: "write" },
    maxOutputTokens: 900,
    reasoning: "low",
    temperature: 0.5,
  });
  expect(adapter.requests[0]).toMatchObject({
    system: "Be brief.",
    messages: [
      {
        role: "user",
        content: [
          { type: "text", text: "Look." },
          { type: "image", mediaType: "image/png", data: "AQID" },
        ],
      },
    ],
    tools: [{ name: "write", description: "Write a file." }],
    toolChoice: { name: "write" },
    maxTokens: 900,
    effort: "low",
  });
  expect(warnings).toMatchObject([{ type: "unsupported", feature: "temperature" }]);
});

test.each(["always", undefined] as const)(
  "typed output works with the format %s of the provider",
  async (outputFormat) => {
    const object = { minutes: 20 };
    const reply: Say =
      outputFormat === undefined
        ? { calls: [{ name: "final_output", input: object }] }
        : { text: JSON.stringify(object) };
    const adapter = mock([writes, reply], { outputFormat });
    const agent = new ToolLoopAgent({
      model: languageModel(adapter),
      tools: { write },
      output: Output.object({ schema: z.object({ minutes: z.int() }) }),
    });
    const result = await agent.generate({ prompt: "Waffles." });
    expect(result.output).toEqual(object);
    expect(result.finishReason).toBe("stop");
  },
);

test.each([true, false])("a cut call is replaced by a note, streamed: %s", async (isStreamed) => {
  const cut: Say = {
    text: "I write.",
    calls: [{ name: "write", inputText: '{"pa' }],
    stop: "length",
  };
  const options = {
    model: languageModel(mock([cut])),
    tools: { write },
    prompt: "Write.",
    maxOutputTokens: 100,
  };
  const result = isStreamed ? streamText(options) : await generateText(options);
  expect(await result.text).toMatch(/^I write\.\n\n\[The guard held back write, /);
  expect(await result.finishReason).toBe("length");
  expect(await result.toolCalls).toEqual([]);
});

test("AI SDK asks again after an overload, and not after an error that stays", async () => {
  const overloaded = { type: "error", error: { type: "overloaded_error", message: "Busy." } };
  const denied = { type: "error", error: { type: "authentication_error", message: "No." } };
  const { fetch, requests } = world([
    () => jsonResponse(overloaded, { status: 529 }),
    message(text(0, "Hello."), "end_turn"),
    () => jsonResponse(denied, { status: 401 }),
  ]);
  const model = languageModel(anthropic("claude-sonnet-5-5", { apiKey: "key", fetch }));
  expect(await streamText({ model, prompt: "Hello." }).text).toBe("Hello.");
  await expect(generateText({ model, prompt: "Hello." })).rejects.toMatchObject({
    name: "AI_APICallError",
    statusCode: 401,
  });
  expect(requests).toHaveLength(3);
});

test("an abort ends the request", async () => {
  const stopped = AbortSignal.abort(new Error("enough"));
  const model = languageModel(mock(["Hello."]));
  await expect(generateText({ model, prompt: "Hello.", abortSignal: stopped })).rejects.toThrow(
    "enough",
  );
});

test("usage and the provider's own word arrive", async () => {
  const usage = { input: 10, output: 7, cacheRead: 4 };
  const model = languageModel(mock([{ text: "Hello.", usage }]));
  const result = await generateText({ model, prompt: "Hello." });
  expect(result.usage).toMatchObject({
    inputTokens: 10,
    inputTokenDetails: { cacheReadTokens: 4, noCacheTokens: 6 },
    outputTokens: 7,
  });
  expect(result.rawFinishReason).toBeTypeOf("string");
});

test("languageModel says what to pass if it gets nothing", () => {
  expect(() => languageModel(undefined as never)).toThrow("`languageModel` needs an adapter.");
});
