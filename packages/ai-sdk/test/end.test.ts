import type { LanguageModelV4, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { finishedCalls } from "@fullstop/ai-sdk";
import type { Turn } from "@fullstop/core";
import { sseBytes, sseResponse } from "@tooling/test/fake-server";
import { streamText, wrapLanguageModel } from "ai";
import { expect, test } from "vitest";
import {
  body,
  chatCall,
  chatUsage,
  chunk,
  type Inner,
  type InnerMiddleware,
  proxies,
  runReply,
  stream,
} from "./providers.ts";
import { call, message, text, world } from "./replies.ts";

const finished = message(
  [...text(0, "I write."), ...call(1, "toolu_1", '{"path":"a"}')],
  "tool_use",
);
const eventsOf = async (): Promise<string> => (await finished()).text();
const overloaded = sseBytes([
  { type: "error", error: { type: "overloaded_error", message: "Overloaded" } },
]);

/** Changes the parts of a provider. */
const changing = (
  change: (part: LanguageModelV4StreamPart) => LanguageModelV4StreamPart[],
): InnerMiddleware => ({
  specificationVersion: "v4",
  async wrapStream({ doStream }) {
    const { stream: source, ...rest } = await doStream();
    const changed = new TransformStream<LanguageModelV4StreamPart, LanguageModelV4StreamPart>({
      transform(part, out) {
        for (const each of change(part)) out.enqueue(each);
      },
    });
    return { ...rest, stream: source.pipeThrough(changed) };
  },
});

/** Its connection breaks behind these bytes, once a part of this type was read. */
function breaking(bytes: string, type: LanguageModelV4StreamPart["type"]) {
  const seen = Promise.withResolvers<void>();
  const chunks = [new TextEncoder().encode(bytes)];
  const source = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const next = chunks.shift();
      if (next !== undefined) return controller.enqueue(next);
      await seen.promise;
      controller.error(new TypeError("terminated"));
    },
  });
  const inner = changing((part) => {
    if (part.type === type) seen.resolve();
    return [part];
  });
  return { answer: () => sseResponse(source), inner };
}
const geminiCall = { functionCall: { name: "write", args: { path: "a" } } };
const endings = (turns: readonly Turn[]) =>
  turns.map(({ stopReason, withheld }) => [stopReason, withheld.map(({ name }) => name).join()]);

test("an error behind the end of a reply holds its calls back", async () => {
  const bytes = await eventsOf();
  const { ran, turns } = await runReply(proxies.messages, () => sseResponse(bytes + overloaded));
  expect(ran).toEqual([]);
  expect(endings(turns)).toEqual([["error", "write"]]);
});

test("another reply behind the end of a reply holds its calls back", async () => {
  const bytes = await eventsOf();
  const other = bytes.replaceAll("toolu_1", "toolu_2").replaceAll("msg_1", "msg_2");
  const { ran } = await runReply(proxies.messages, () => sseResponse(bytes + other));
  expect(ran).toEqual([]);
});

test("a connection that breaks behind the end of a reply costs no call", async () => {
  const { answer, inner } = breaking(await eventsOf(), "finish");
  const { ran, turns } = await runReply(proxies.messages, answer, { inner });
  expect(ran).toEqual(["a"]);
  expect(endings(turns)).toEqual([["tool-use", ""]]);
});

test.each(["messages", "gemini"] as const)(
  "a connection that breaks in the middle has a verdict, and stays an error: %s",
  async (name) => {
    const bytes =
      name === "gemini"
        ? sseBytes([{ candidates: [{ content: { role: "model", parts: [geminiCall] } }] }])
        : (await eventsOf()).split("event: message_delta")[0];
    const { answer, inner } = breaking(bytes ?? "", "tool-call");
    const { ran, turns, error } = await runReply(proxies[name], answer, { inner });
    expect(ran).toEqual([]);
    expect(endings(turns)).toEqual([["interrupted", "write"]]);
    expect(String(error)).toContain("Failed to process");
  },
);

test("a whole reply that breaks has a verdict", async () => {
  const answer = (): Response =>
    new Response('{"id":"msg_1","type":"message","content":[', {
      headers: { "content-type": "application/json" },
    });
  const { turns, error } = await runReply(proxies.messages, answer, { form: "whole" });
  expect(turns.map(({ stopReason }) => stopReason)).toEqual(["interrupted"]);
  expect(error).toBeInstanceOf(Error);
});

test("a refused request is not a reply, and gets no verdict", async () => {
  const refused = (): Response => Response.json({ error: { message: "No." } }, { status: 400 });
  for (const form of ["streamed", "whole"] as const)
    expect((await runReply(proxies.chat, refused, { form })).turns).toEqual([]);
});

test.each(["chat", "compatible"] as const)(
  "a call that comes twice in a stream runs once, although AI SDK gives it two ids: %s",
  async (name) => {
    const twice = [chunk({ tool_calls: [chatCall] }), chunk({ tool_calls: [chatCall] })];
    const answer = stream(...twice, chunk({}, "tool_calls", { usage: chatUsage }), "[DONE]");
    expect((await runReply(proxies[name], answer)).ran).toEqual(["a"]);
  },
);

test("a call that comes twice in a whole reply runs once", async () => {
  const { index: _, ...written } = chatCall;
  const answer = body({
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 1,
    model: "gpt-5.5",
    choices: [
      {
        index: 0,
        message: { role: "assistant", content: null, tool_calls: [written, written] },
        finish_reason: "tool_calls",
      },
    ],
    usage: chatUsage,
  });
  for (const form of ["whole", "simulated"] as const)
    expect((await runReply(proxies.chat, answer, { form })).ran).toEqual(["a"]);
});

test.each(["streamed", "whole", "simulated"] as const)(
  "two calls with one id run: %s",
  async (form) => {
    const content = ["a", "b"].map((path) => ({
      type: "tool_use",
      id: "toolu_1",
      name: "write",
      input: { path },
    }));
    const streamed = message(
      [...call(0, "toolu_1", '{"path":"a"}'), ...call(1, "toolu_1", '{"path":"b"}')],
      "tool_use",
    );
    const whole = body({
      id: "msg_1",
      type: "message",
      role: "assistant",
      model: "claude-sonnet-5-5",
      content,
      stop_reason: "tool_use",
      stop_sequence: null,
      usage: { input_tokens: 10, output_tokens: 20 },
    });
    const answer = form === "streamed" ? streamed : whole;
    expect((await runReply(proxies.messages, answer, { form })).ran).toEqual(["a", "b"]);
  },
);

test("of two calls with one id, the second one is given out with another id", async () => {
  const answer = message(
    [...call(0, "toolu_1", '{"path":"a"}'), ...call(1, "toolu_1", '{"path":"b"}')],
    "tool_use",
  );
  const { fetch, tools } = world([answer]);
  const model = wrapLanguageModel({
    model: proxies.messages(fetch),
    middleware: finishedCalls(),
  });
  const result = streamText({ model, tools, prompt: "Write.", maxRetries: 0 });
  await result.consumeStream();
  const ids = (await result.toolCalls).map(({ toolCallId }) => toolCallId);
  expect(ids).toEqual(["toolu_1", expect.stringMatching(/^call_[0-9a-f]{24}$/)]);
  const results = (await result.toolResults).map(({ toolCallId }) => toolCallId);
  expect(results).toEqual(ids);
});

test("two equal calls of the model run twice", async () => {
  const other = { ...chatCall, index: 1, id: "call_2" };
  const answer = stream(
    chunk({ tool_calls: [chatCall] }),
    chunk({ tool_calls: [other] }),
    chunk({}, "tool_calls", { usage: chatUsage }),
    "[DONE]",
  );
  expect((await runReply(proxies.chat, answer)).ran).toEqual(["a", "a"]);
});

test.each<[string, (part: LanguageModelV4StreamPart & { type: "tool-call" }) => object[]]>([
  ["another input", (part) => [{ ...part, input: '{"path":"b"}' }]],
  ["another name", (part) => [{ ...part, toolName: "delete" }]],
  ["one more call", (part) => [part, { ...part, toolCallId: "more", input: '{"path":"b"}' }]],
  ["one call less", (part) => (part.toolCallId === "toolu_1" ? [] : [part])],
])("if the parts and the events differ by %s, no call runs", async (_, change) => {
  const answer = message(
    [...call(0, "toolu_1", '{"path":"a"}'), ...call(1, "toolu_2", '{"path":"a2"}')],
    "tool_use",
  );
  const inner = changing((part) =>
    part.type === "tool-call" ? (change(part) as LanguageModelV4StreamPart[]) : [part],
  );
  const { ran, turns } = await runReply(proxies.messages, answer, { inner });
  expect(ran).toEqual([]);
  expect(turns[0]?.withheld[0]?.reason).toBe("malformed-frame");
});

const streamOf = (
  parts: readonly LanguageModelV4StreamPart[],
): ReadableStream<LanguageModelV4StreamPart> =>
  new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part);
      controller.close();
    },
  });
const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 7, text: 7, reasoning: undefined },
};
interface Ending {
  readonly raw?: string;
  readonly native?: object;
  readonly sent?: object;
}
/** A model of another library: its parts, and the events that it gives. */
const foreign =
  ({ raw, native, sent }: Ending) =>
  (): Inner => {
    const parts: LanguageModelV4StreamPart[] = [
      ...(native === undefined ? [] : [{ type: "raw" as const, rawValue: native }]),
      { type: "tool-call", toolCallId: "1", toolName: "write", input: '{"path":"a"}' },
      { type: "finish", finishReason: { unified: "tool-calls", raw }, usage },
    ];
    const model: Pick<
      LanguageModelV4,
      "specificationVersion" | "provider" | "modelId" | "supportedUrls" | "doStream"
    > = {
      specificationVersion: "v4",
      provider: "foreign",
      modelId: "one",
      supportedUrls: {},
      doStream: async () => ({ stream: streamOf(parts), request: { body: sent } }),
    };
    return model as LanguageModelV4;
  };

test.each<[string, Ending, readonly string[]]>([
  ["a known word", { raw: "tool_calls" }, ["a"]],
  ["a known word, beside unknown events", { raw: "TOOL_CALL", native: { a: 1 } }, ["a"]],
  ["a word that is not known", { raw: "enough" }, []],
  ["no word, beside unknown events", { native: { a: 1 } }, []],
  ["no word of Responses", { sent: { input: [] } }, []],
  ["no word of a library that has none", {}, ["a"]],
])("without events that a reader knows, %s decides", async (_, ending, expected) => {
  const { ran, evidence } = await runReply(foreign(ending), finished);
  expect(ran).toEqual(expected);
  expect(evidence).toEqual(["parts"]);
});

test("an input that a provider replaced by {} runs nothing, and no other call of the plan", async () => {
  const parts: LanguageModelV4StreamPart[] = [
    { type: "tool-call", toolCallId: "1", toolName: "write", input: '{"path":"a"}' },
    { type: "tool-input-start", id: "2", toolName: "write" },
    { type: "tool-input-delta", id: "2", delta: '{"path":"b' },
    { type: "tool-input-end", id: "2" },
    { type: "tool-call", toolCallId: "2", toolName: "write", input: "{}" },
    { type: "finish", finishReason: { unified: "tool-calls", raw: "tool_calls" }, usage },
  ];
  const model = (): Inner =>
    ({
      ...foreign({})(),
      doStream: async () => ({ stream: streamOf(parts) }),
    }) as LanguageModelV4;
  expect((await runReply(model, finished)).ran).toEqual([]);
});

test("a call that began and did not come runs nothing of the plan", async () => {
  const parts: LanguageModelV4StreamPart[] = [
    { type: "tool-call", toolCallId: "1", toolName: "write", input: '{"path":"a"}' },
    { type: "tool-input-start", id: "2", toolName: "write" },
    { type: "finish", finishReason: { unified: "tool-calls", raw: "tool_calls" }, usage },
  ];
  const model = (): Inner =>
    ({
      ...foreign({})(),
      doStream: async () => ({ stream: streamOf(parts) }),
    }) as LanguageModelV4;
  expect((await runReply(model, finished)).ran).toEqual([]);
});
