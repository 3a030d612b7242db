import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { LanguageModelV4, LanguageModelV4CallOptions } from "@ai-sdk/provider";
import { finishedCalls } from "@fullstop/ai-sdk";
import type { Turn } from "@fullstop/core";
import { jsonResponse, sseBytes, sseResponse } from "@tooling/test/fake-server";
import * as responses from "@tooling/test/openai-responses";
import {
  generateText,
  isStepCount,
  type LanguageModel,
  Output,
  streamText,
  ToolLoopAgent,
  wrapLanguageModel,
} from "ai";
import { expect, test, vi } from "vitest";
import { z } from "zod";
import { call, message, partsOf, search, text, thinking, world } from "./replies.ts";

type Inner = Parameters<typeof wrapLanguageModel>[0]["model"];
const gated = (model: Inner, onReply?: (turn: Turn) => void): LanguageModelV4 =>
  wrapLanguageModel({ model, middleware: finishedCalls({ onReply }) });
const anthropicAt = (fetch: typeof globalThis.fetch): Inner =>
  createAnthropic({ apiKey: "key", fetch })("claude-sonnet-5-5");

const prompt: LanguageModelV4CallOptions["prompt"] = [
  { role: "user", content: [{ type: "text", text: "Write." }] },
];
const note = (why: string): string =>
  `[The guard held back write, and nothing of it ran, because ${why}.]`;
const cutAtCap = note("the reply was cut at the output limit: ask for less in one step");

test("a finished reply has the same parts as without the middleware", async () => {
  const reply = message(
    [...thinking(0, "Hm.", "sig"), ...text(1, "I write."), ...call(2, "toolu_1", '{"path":"a"}')],
    "tool_use",
  );
  const { fetch } = world([reply, reply]);
  const plain = await streamedBy(wrapLanguageModel({ model: anthropicAt(fetch), middleware: [] }));
  expect(await streamedBy(gated(anthropicAt(fetch)))).toEqual(plain);
});

const streamedBy = async (model: LanguageModelV4): Promise<unknown> =>
  partsOf((await model.doStream({ prompt, maxOutputTokens: 1024 })).stream);

test("text arrives while the reply does, and no part of a call before its end", async () => {
  const upstream = new TransformStream<Uint8Array, Uint8Array>();
  const server = upstream.writable.getWriter();
  const { fetch } = world([() => sseResponse(upstream.readable)]);
  const [whole] = [
    await message([...text(0, "I write."), ...call(1, "toolu_1", '{"path":"a"}')], "tool_use")(),
  ];
  const frames = (await whole.text()).split(/(?<=\n\n)/);
  const send = (events: readonly string[]): Promise<void> =>
    server.write(new TextEncoder().encode(events.join("")));
  const seen: string[] = [];
  const pinged = Promise.withResolvers<void>();
  const reading = (async () => {
    const { stream } = await gated(anthropicAt(fetch)).doStream({ prompt });
    for await (const { type } of stream) {
      seen.push(type);
      if (type === "text-end") void send(frames.slice(4, -1));
      if (type === "ping") pinged.resolve();
    }
  })();
  void send(frames.slice(0, 4));
  await pinged.promise;
  expect(seen).toContain("text-delta");
  expect(seen.filter((type) => type.startsWith("tool-"))).toEqual([]);
  await send(frames.slice(-1));
  await server.close();
  await reading;
  expect(seen.filter((type) => type === "tool-call")).toHaveLength(1);
  expect(seen.indexOf("tool-call")).toBeGreaterThan(seen.lastIndexOf("ping"));
});

test.each([
  ["max_tokens", "length", cutAtCap],
  ["refusal", "content-filter", note("the model declined to answer: ask in another way")],
  ["pause_turn", "other", note("the provider paused the reply: ask the model to continue")],
])(
  "under %s a note is in place of the call, and the finish reason is %s",
  async (stop, finish, said) => {
    const { fetch, ran, tools } = world([
      message([...text(0, "I write."), ...call(1, "toolu_1", '{"path":"a"}')], stop, 1024),
    ]);
    const turns: Turn[] = [];
    const model = gated(anthropicAt(fetch), (turn) => turns.push(turn));
    const result = streamText({ model, tools, prompt: "Write.", maxOutputTokens: 1024 });
    expect(await result.text).toBe(`I write.\n\n${said}`);
    expect(await result.finishReason).toBe(finish);
    expect(await result.toolCalls).toEqual([]);
    expect(ran).toEqual([]);
    expect(turns.map(({ withheld }) => withheld.map(({ name }) => name))).toEqual([["write"]]);
  },
);

test("a whole reply is judged like a stream", async () => {
  const { fetch, ran, tools } = world([
    () =>
      jsonResponse({
        id: "msg_1",
        type: "message",
        role: "assistant",
        model: "claude-sonnet-5-5",
        content: [{ type: "tool_use", id: "toolu_1", name: "write", input: { path: "a" } }],
        stop_reason: "max_tokens",
        stop_sequence: null,
        usage: { input_tokens: 12, output_tokens: 1024 },
      }),
  ]);
  const model = gated(anthropicAt(fetch));
  const result = await generateText({ model, tools, prompt: "Write.", maxOutputTokens: 1024 });
  expect(result.text).toBe(cutAtCap);
  expect(result.finishReason).toBe("length");
  expect(ran).toEqual([]);
});

test("a tool that the provider ran stays, also beside a withheld call", async () => {
  const { fetch } = world([
    message([...search(0), ...call(2, "toolu_1", '{"path":"a"}')], "max_tokens"),
  ]);
  const parts = await streamedBy(gated(anthropicAt(fetch)));
  expect(parts).toContainEqual(
    expect.objectContaining({ type: "tool-call", toolName: "web_search", providerExecuted: true }),
  );
  expect(parts).toContainEqual(expect.objectContaining({ type: "tool-result" }));
  expect(JSON.stringify(parts)).not.toContain('"toolu_1"');
});

test("the cap is the one that the provider sent: with a budget for thinking it is higher", async () => {
  const { fetch, ran, tools, requests } = world([
    message(call(0, "toolu_1", '{"path":"a"}'), "tool_use", 1500),
    message(text(0, "Done."), "end_turn"),
  ]);
  await streamText({
    model: gated(createAnthropic({ apiKey: "key", fetch })("claude-sonnet-4-5")),
    tools,
    prompt: "Write.",
    maxOutputTokens: 1024,
    providerOptions: { anthropic: { thinking: { type: "enabled", budgetTokens: 2000 } } },
    stopWhen: isStepCount(5),
  }).consumeStream();
  expect(requests[0]?.body.max_tokens).toBe(3024);
  expect(ran).toEqual(["a"]);
});

test("a call whose usage reached the cap is held back, whatever the finish reason says", async () => {
  const { fetch, ran, tools } = world([
    message(call(0, "toolu_1", '{"path":"a"}'), "tool_use", 1024),
  ]);
  const model = gated(anthropicAt(fetch));
  const result = streamText({ model, tools, prompt: "Write.", maxOutputTokens: 1024 });
  expect(await result.finishReason).toBe("length");
  expect(ran).toEqual([]);
});

const togetherAt = (fetch: typeof globalThis.fetch): Inner =>
  createOpenAICompatible({ name: "together", baseURL: "https://host.test/v1", fetch })("qwen");
const chunk = (delta: object, finish_reason: string | null, rest: object = {}): object => ({
  id: "chatcmpl-1",
  object: "chat.completion.chunk",
  created: 1,
  model: "qwen",
  choices: [{ index: 0, delta, finish_reason }],
  ...rest,
});
const chatCall = {
  tool_calls: [
    {
      index: 0,
      id: "call_1",
      type: "function",
      function: { name: "write", arguments: '{"path":"a"}' },
    },
  ],
};
const chatUsage = { prompt_tokens: 10, completion_tokens: 20, total_tokens: 30 };
const chatReply =
  (...chunks: readonly object[]) =>
  (): Response =>
    sseResponse(sseBytes([...chunks, "[DONE]"]));

test("a finished reply whose word AI SDK does not know runs: `eos` of Together", async () => {
  const { fetch, ran, tools } = world([
    chatReply(chunk(chatCall, null), chunk({}, "eos", { usage: chatUsage })),
    chatReply(chunk({ content: "Done." }, "stop")),
  ]);
  const model = gated(togetherAt(fetch));
  const result = streamText({ model, tools, prompt: "Write.", stopWhen: isStepCount(5) });
  expect(await result.text).toBe("Done.");
  expect(ran).toEqual(["a"]);
});

test("calls are withheld if the stop reason is not known", async () => {
  const { fetch, ran, tools } = world([chatReply(chunk(chatCall, "enough"))]);
  const model = gated(togetherAt(fetch));
  const result = streamText({ model, tools, prompt: "Write." });
  expect(await result.finishReason).toBe("other");
  expect(await result.text).toContain("for a reason that is not known");
  expect(ran).toEqual([]);
});

const openaiAt = (fetch: typeof globalThis.fetch): Inner =>
  createOpenAI({ apiKey: "key", fetch })("gpt-5.5");
const created = {
  ...responses.created,
  response: { ...responses.response("in_progress"), created_at: 1_795_000_000 },
};
const reasoning = { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "enc" };
const functionCall = {
  type: "function_call",
  id: "fc_1",
  call_id: "call_1",
  name: "write",
  status: "completed",
};

test("reasoning whose call is held back is not sent to OpenAI again", async () => {
  const cut = { incomplete_details: { reason: "max_output_tokens" } };
  const whole = { ...functionCall, arguments: '{"path":"a"}' };
  const events = [
    created,
    responses.added(0, { ...reasoning, encrypted_content: null }),
    responses.done(0, reasoning),
    responses.added(1, { ...functionCall, arguments: "" }),
    responses.done(1, whole),
    responses.ended("incomplete", cut),
  ];
  const { fetch, requests, tools } = world([
    () => sseResponse(sseBytes(events)),
    () => sseResponse(sseBytes([created, responses.completed])),
  ]);
  const model = gated(openaiAt(fetch));
  const first = streamText({ model, tools, prompt: "Write." });
  const { messages } = await first.response;
  const question = { role: "user", content: "Go on." } as const;
  await streamText({ model, tools, messages: [...messages, question] }).consumeStream();
  const sent = JSON.stringify(requests[1]?.body.input);
  expect(sent).toContain("held back write");
  expect(sent).not.toMatch(/rs_1|fc_1|call_1/);
});

test("a finished call of a custom tool, whose input is text, runs", async () => {
  const openai = createOpenAI({ apiKey: "key", fetch: (...sent) => fetch(...sent) });
  const item = {
    type: "custom_tool_call",
    id: "ctc_1",
    call_id: "call_1",
    name: "patch",
    status: "completed",
  };
  const events = [
    created,
    responses.added(0, { ...item, input: "" }),
    responses.done(0, { ...item, input: "+ one line" }),
    responses.completed,
  ];
  const { fetch } = world([() => sseResponse(sseBytes(events))]);
  const tools = { patch: openai.tools.customTool({ description: "Patch a file." }) };
  const result = streamText({ model: gated(openai("gpt-5.5")), tools, prompt: "Patch." });
  expect((await result.toolCalls).map(({ input }) => input)).toEqual(["+ one line"]);
});

test("a provider asks for an approval only in a finished reply, live and as a whole body", async () => {
  const request = {
    type: "mcp_approval_request",
    id: "mcpr_1",
    name: "pay",
    arguments: '{"cents":5}',
    server_label: "bank",
  };
  const cut = { incomplete_details: { reason: "max_output_tokens" }, output: [request] };
  const events = [created, responses.added(0, request), responses.done(0, request)];
  const whole = { ...responses.response("incomplete"), ...cut, created_at: 1_795_000_000 };
  const { fetch } = world([
    () => sseResponse(sseBytes([...events, responses.completed])),
    () => sseResponse(sseBytes([...events, responses.ended("incomplete", cut)])),
    () => jsonResponse(whole),
  ]);
  const model = gated(openaiAt(fetch));
  const asked = async ({ content }: Pick<ReturnType<typeof streamText>, "content">) =>
    (await content).map((part) => (part.type === "text" ? part.text : part.type));
  expect(await asked(streamText({ model, prompt: "Pay." }))).toEqual([
    "tool-call",
    "tool-approval-request",
  ]);
  const held = [cutAtCap.replace("write", "mcp_approval")];
  expect(await asked(streamText({ model, prompt: "Pay." }))).toEqual(held);
  const { content } = await generateText({ model, prompt: "Pay." });
  expect(await asked({ content: Promise.resolve(content) })).toEqual(held);
});

test("the provider's own events reach only a program that asks for them", async () => {
  const reply = message(text(0, "Hello."), "end_turn");
  const { fetch } = world([reply, reply]);
  const model = gated(anthropicAt(fetch));
  const types = async (options: object): Promise<string[]> =>
    (await partsOf((await model.doStream({ prompt, ...options })).stream)).map(({ type }) => type);
  expect(await types({})).not.toContain("raw");
  expect(await types({ includeRawChunks: true })).toContain("raw");
});

test("typed output and an agent work as before", async () => {
  const { fetch, ran, tools } = world([
    message(call(0, "toolu_1", '{"path":"a"}'), "tool_use"),
    message(text(0, '{"minutes":20}'), "end_turn"),
  ]);
  const model: LanguageModel = gated(anthropicAt(fetch));
  const agent = new ToolLoopAgent({
    model,
    tools,
    output: Output.object({ schema: z.object({ minutes: z.int() }) }),
  });
  const result = await agent.stream({ prompt: "Waffles." });
  await result.consumeStream();
  expect(await result.output).toEqual({ minutes: 20 });
  expect(ran).toEqual(["a"]);
});

test("a logger that throws does not cost a finished reply, and is printed", async () => {
  const reply = message(call(0, "toolu_1", '{"path":"a"}'), "tool_use");
  const { fetch, tools, ran } = world([reply]);
  const print = vi.spyOn(console, "error").mockImplementation(() => undefined);
  const model = gated(anthropicAt(fetch), () => {
    throw new Error("The logger failed.");
  });
  await streamText({ model, tools, prompt: "Write." }).consumeStream();
  expect(ran).toEqual(["a"]);
  expect(print.mock.calls[0]?.[0]).toContain("`onReply` of `finishedCalls`");
  print.mockRestore();
});

test("an option that does not exist is an error that names the right one", () => {
  // @ts-expect-error the name of the option is wrong
  expect(() => finishedCalls({ onreply: () => undefined })).toThrow("onReply");
});
