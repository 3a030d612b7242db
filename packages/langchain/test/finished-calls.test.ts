import type { GuardReport } from "@fullstop/guard";
import { finishedCalls } from "@fullstop/langchain";
import { ChatAnthropic, type ChatAnthropicInput } from "@langchain/anthropic";
import { ChatBedrockConverse } from "@langchain/aws";
import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import type { AIMessage } from "@langchain/core/messages";
import { ChatDeepSeek } from "@langchain/deepseek";
import { ChatOllama } from "@langchain/ollama";
import { AzureChatOpenAI } from "@langchain/openai";
import { createAgent, createMiddleware, fakeModel, initChatModel, toolStrategy } from "langchain";
import { expect, test } from "vitest";
import { z } from "zod";
import { speakers } from "./subjects.ts";
import { ask, provider, writes } from "./world.ts";

const { claude, chat } = speakers;
const finished = { blocks: [{ text: "I write." }, writes("a")], stop: "tool_use", output: 40 };
const cut = { ...finished, stop: "max_tokens", output: 1024 };
const note =
  "[The guard held back write, and nothing of it ran, because the reply was cut at the output limit: ask for less in one step.]";

test.each(
  Object.entries(speakers).flatMap(([name, speaker]) => [
    [name, "streamed", speaker] as const,
    [name, "whole", speaker] as const,
  ]),
)("the calls of %s run as without the middleware, %s", async (_, form, { wire, model }) => {
  const stop = wire.nativeStops["tool-use"] ?? wire.nativeStops.stop ?? "";
  const reply = { blocks: [writes("a"), writes("b", "call_2")], stop, output: 40 };
  const isStreamed = form === "streamed";
  const { url } = await provider(wire, [reply]);
  const plain = await ask(model((await provider(wire, [reply])).url), {
    middleware: [],
    isStreamed,
  });
  const gated = await ask(model(url), { middleware: [finishedCalls()], isStreamed });
  expect(gated.ran).toEqual(["a", "b"]);
  expect(gated.replies.map(shapeOf)).toEqual(plain.replies.map(shapeOf));
});

/** Without the ids that LangChain itself makes. */
const shapeOf = (message: unknown): unknown => {
  const { content, tool_calls, usage_metadata } = message as AIMessage;
  const calls = tool_calls?.map(({ name, args }) => ({ name, args }));
  return { content, calls, usage_metadata };
};

test.each([true, false])(
  "a note is in place of a cut call, and `onReply` gets the verdict, streamed: %s",
  async (isStreamed) => {
    const reports: GuardReport[] = [];
    const { url } = await provider(claude.wire, [cut]);
    const middleware = [finishedCalls({ onReply: (report) => reports.push(report) })];
    const { ran, replies } = await ask(claude.model(url), { middleware, isStreamed });
    expect(ran).toEqual([]);
    expect(replies.map(({ text }) => text)).toEqual([`I write.\n\n${note}`]);
    expect(reports.map(({ turn }) => turn.withheld.map(({ name }) => name))).toEqual([["write"]]);
  },
);

test("a page sees the text of a cut reply, and nothing of its call", async () => {
  const { url } = await provider(claude.wire, [cut]);
  const { previews } = await ask(claude.model(url), {
    middleware: [finishedCalls()],
    isStreamed: true,
  });
  expect(previews.map(({ text }) => text).join("")).toContain("I write.");
  expect(JSON.stringify(previews)).not.toContain("call_1");
});

test.each([true, false])("a call without an input runs, streamed: %s", async (isStreamed) => {
  const { wire, model } = chat;
  const empty = { name: "clear", id: "call_1", input: {}, inputText: "" };
  const { url } = await provider(wire, [{ blocks: [empty], stop: "tool_calls", output: 9 }]);
  const { ran } = await ask(model(url), { middleware: [finishedCalls()], isStreamed });
  expect(ran).toEqual(["everything"]);
});

test.each(Object.entries(speakers))(
  "%s stays as the program made it, also if it was used before",
  async (_, { wire, model }) => {
    const reply = { ...cut, stop: wire.nativeStops.length ?? "" };
    const { url } = await provider(wire, [reply, reply, reply]);
    const reports: GuardReport[] = [];
    const own = model(url);
    await own.invoke("Write.");
    const { ran } = await ask(own, {
      middleware: [finishedCalls({ onReply: (report) => reports.push(report) })],
    });
    expect(ran).toEqual([]);
    await own.invoke("Write.");
    expect(reports).toHaveLength(1);
  },
);

test.each(Object.entries(speakers))(
  "the cache of %s is not used, because nothing shows how its replies ended",
  async (_, { wire, model }) => {
    const reply = { ...cut, stop: wire.nativeStops.length ?? "" };
    const { url } = await provider(wire, [reply, reply]);
    const own = model(url, { cache: true });
    await own.invoke("Write.");
    const { ran, replies } = await ask(own, { middleware: [finishedCalls()] });
    expect(ran).toEqual([]);
    expect(replies.map(({ text }) => text)).toEqual([`I write.\n\n${note}`]);
  },
);

test("a model of Azure is guarded", async () => {
  const reply = { ...cut, stop: "length" };
  const { url } = await provider(chat.wire, [reply]);
  const model = new AzureChatOpenAI({
    model: "gpt-5.2",
    azureOpenAIApiKey: "key",
    azureOpenAIApiVersion: "2025-04-01-preview",
    azureOpenAIApiDeploymentName: "writer",
    azureOpenAIBasePath: `${url}/openai/deployments`,
    maxTokens: 1024,
  });
  const { ran, replies } = await ask(model, { middleware: [finishedCalls()] });
  expect(ran).toEqual([]);
  expect(replies[0]?.text).toContain(note);
});

test("a model with a configuration of its own is guarded", async () => {
  const { url } = await provider(claude.wire, [cut]);
  const model = claude.model(url).withConfig({ tags: ["a"] });
  const { ran, replies } = await ask(model as never, { middleware: [finishedCalls()] });
  expect(ran).toEqual([]);
  expect(replies[0]?.text).toContain(note);
});

test("a model that is given by its name is guarded", async () => {
  const { url } = await provider(claude.wire, [cut]);
  const model = await initChatModel("anthropic:claude-sonnet-4-5", {
    apiKey: "key",
    anthropicApiUrl: url,
    maxTokens: 1024,
  });
  const { ran, replies } = await ask(model, { middleware: [finishedCalls()] });
  expect(ran).toEqual([]);
  expect(replies[0]?.text).toContain(note);
});

test("a typed answer is read only from a finished reply", async () => {
  const answer = (stop: string) => ({
    blocks: [{ name: "extract-1", id: "call_1", input: { minutes: 20 } }],
    stop,
    output: stop === "max_tokens" ? 1024 : 40,
  });
  for (const [stop, expected] of [
    ["tool_use", { minutes: 20 }],
    ["max_tokens", undefined],
  ] as const) {
    const { url } = await provider(claude.wire, [answer(stop)]);
    const agent = createAgent({
      model: claude.model(url),
      tools: [],
      responseFormat: toolStrategy(z.object({ minutes: z.int() })),
      middleware: [finishedCalls()],
    });
    const state = await agent.invoke({ messages: [{ role: "user", content: "Waffles." }] });
    expect(state.structuredResponse).toEqual(expected);
  }
});

test("LangChain asks again if a reply broke before a part of it was shown", async () => {
  const broken = { chunks: [], fault: "reset" } as const;
  const { url } = await provider(claude.wire, [broken, finished]);
  const model = claude.model(url, { maxRetries: 1 });
  const { ran } = await ask(model, { middleware: [finishedCalls()], isStreamed: true });
  expect(ran).toEqual(["a"]);
});

const unknownModels: Readonly<Record<string, (url: string) => BaseChatModel>> = {
  ChatBedrockConverse: (url) =>
    new ChatBedrockConverse({
      model: "claude",
      region: "us-east-1",
      endpointHost: new URL(url).host,
      credentials: { accessKeyId: "a", secretAccessKey: "b" },
    }),
  ChatOllama: (baseUrl) => new ChatOllama({ model: "qwen3", baseUrl }),
  FakeBuiltModel: () => fakeModel(),
};

test.each(Object.entries(unknownModels))(
  "a model whose client is not known is refused before it sends a request: %s",
  async (name, model) => {
    const { url, requests } = await provider(chat.wire, []);
    const asking = ask(model(url), { middleware: [finishedCalls()] });
    await expect(asking).rejects.toThrow(
      `finishedCalls() does not know how ${name} sends requests, so it cannot see whether a reply is finished. Use a model of @langchain/openai`,
    );
    expect(requests).toEqual([]);
  },
);

test("a model of another package that extends ChatOpenAI is guarded", async () => {
  const { url } = await provider(chat.wire, [
    { ...finished, stop: "tool_calls" },
    { ...cut, blocks: [writes("b")], stop: "length" },
  ]);
  const model = new ChatDeepSeek({
    model: "deepseek-chat",
    apiKey: "key",
    maxTokens: 1024,
    configuration: { baseURL: url },
  });
  const { ran, replies } = await ask(model, { middleware: [finishedCalls()] });
  expect(ran).toEqual(["a"]);
  expect(replies.at(-1)?.text).toBe(note);
});

test("the calls of a model that another middleware put in are refused", async () => {
  const { url } = await provider(claude.wire, [finished]);
  const other = createMiddleware({
    name: "other",
    wrapModelCall: (request, handler) => handler({ ...request, model: claude.model(url) }),
  });
  const model = claude.model("http://127.0.0.1:9");
  const asking = ask(model, { middleware: [finishedCalls(), other] });
  await expect(asking).rejects.toThrow(
    /^The calls of the message are not those .*: write\. .* last in `middleware`/,
  );
  const { ran } = await ask(model, { middleware: [other, finishedCalls()] });
  expect(ran).toEqual([]);
});

interface Clients {
  readonly createClient: NonNullable<ChatAnthropicInput["createClient"]>;
}

test("the calls of a client that does not use its `fetch` are refused", async () => {
  const { url } = await provider(claude.wire, [finished]);
  const { createClient } = new ChatAnthropic({ apiKey: "key" }) as unknown as Clients;
  const model = new ChatAnthropic({
    model: "claude-sonnet-4-5",
    apiKey: "key",
    anthropicApiUrl: url,
    createClient: (options) => createClient({ ...options, fetch }),
  });
  const asking = ask(model, { middleware: [finishedCalls()] });
  await expect(asking).rejects.toThrow("the client of the model does not use the `fetch`");
});

test("an unknown option is refused", () => {
  // @ts-expect-error: the option does not exist
  expect(() => finishedCalls({ onReplies: () => undefined })).toThrow("onReply");
});

test("an error about an option names finishedCalls", () => {
  expect(() => finishedCalls({ strict: "no" } as never)).toThrow(
    '`strict` of `finishedCalls` must be true or false, not "no".',
  );
});
