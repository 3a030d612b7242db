import { languageModel } from "@fullstop/ai-sdk";
import { anthropic } from "@fullstop/provider-anthropic";
import { google } from "@fullstop/provider-google";
import { mock } from "@fullstop/provider-mock";
import { openai } from "@fullstop/provider-openai";
import { type Answer, jsonResponse, sseBytes, sseResponse } from "@tooling/test/fake-server";
import * as responses from "@tooling/test/openai-responses";
import {
  convertToModelMessages,
  generateText,
  isStepCount,
  type LanguageModel,
  type ModelMessage,
  pruneMessages,
  readUIMessageStream,
  streamText,
  type UIMessage,
} from "ai";
import { expect, test } from "vitest";
import { call, message, text, thinking, world } from "./replies.ts";

const redacted = [
  {
    type: "content_block_start",
    index: 1,
    content_block: { type: "redacted_thinking", data: "ZW5j" },
  },
  { type: "content_block_stop", index: 1 },
];
/** Two blocks of reasoning around one that is hidden: a stream shows them as one part. */
const thought = message(
  [
    ...thinking(0, "First.", "c2ln"),
    ...redacted,
    ...thinking(2, "Second.", "c2lnMg"),
    ...text(3, "I write."),
    ...call(4, "toolu_1", '{ "path": "a" }'),
  ],
  "tool_use",
);
const done = message(text(0, "Done."), "end_turn");
const expected = [
  { type: "thinking", thinking: "First.", signature: "c2ln" },
  { type: "redacted_thinking", data: "ZW5j" },
  { type: "thinking", thinking: "Second.", signature: "c2lnMg" },
  { type: "text", text: "I write." },
  { type: "tool_use", id: "toolu_1", name: "write", input: { path: "a" } },
];

const claude = (answers: readonly Answer[]) => {
  const server = world(answers);
  const model = languageModel(
    anthropic("claude-sonnet-5-5", { apiKey: "key", fetch: server.fetch }),
  );
  return { ...server, model };
};
interface Server {
  readonly requests: ReturnType<typeof world>["requests"];
}
const sentBlocks = ({ requests }: Server): unknown => requests.at(-1)?.body.messages[1].content;

test("the next request has all blocks as they came, in their order", async () => {
  const server = claude([thought, done]);
  const { model, tools } = server;
  await streamText({ model, tools, prompt: "Go.", stopWhen: isStepCount(5) }).consumeStream();
  expect(sentBlocks(server)).toMatchObject(expected);
});

/** One turn, and the messages that a program keeps of it. */
async function turnOf(
  model: LanguageModel,
  tools: ReturnType<typeof world>["tools"],
): Promise<ModelMessage[]> {
  const { messages } = await streamText({ model, tools, prompt: "Go." }).response;
  return messages;
}
const ask = (model: LanguageModel, kept: readonly ModelMessage[]) =>
  generateText({
    model,
    messages: [{ role: "user", content: "Go." }, ...kept, { role: "user", content: "And?" }],
  });

test("a page that gets no reasoning gets nothing of it, also no signature", async () => {
  const { model, tools } = claude([thought, done]);
  const result = streamText({ model, tools, prompt: "Go." });
  const page = await result.toUIMessageStreamResponse({ sendReasoning: false }).text();
  expect(page).toContain("I write.");
  expect(page).not.toMatch(/First|Second|c2ln|ZW5j/);
});

test("a message that went to a page and came back has its signatures", async () => {
  const server = claude([thought, done]);
  const { model, tools } = server;
  const result = streamText({ model, tools, prompt: "Go." });
  let last: UIMessage | undefined;
  for await (const state of readUIMessageStream({ stream: result.toUIMessageStream() }))
    last = state;
  const stored: UIMessage = JSON.parse(JSON.stringify(last));
  await ask(model, await convertToModelMessages([stored]));
  expect(sentBlocks(server)).toMatchObject(expected);
});

test("reasoning that a program prunes is not sent", async () => {
  const server = claude([thought, done]);
  const messages = await turnOf(server.model, server.tools);
  await ask(server.model, pruneMessages({ messages, reasoning: "all" }));
  expect(sentBlocks(server)).toMatchObject(expected.slice(3));
});

test("what a program changed is sent as it is, without what was signed", async () => {
  const server = claude([thought, done]);
  const messages = await turnOf(server.model, server.tools);
  const changed = JSON.parse(
    JSON.stringify(messages)
      .replace("First.Second.", "Removed.")
      .replace("I write.", "Redacted.")
      .replace('"input":{"path":"a"}', '"input":{"path":"b"}'),
  );
  await ask(server.model, changed);
  const sent = JSON.stringify(server.requests.at(-1)?.body.messages);
  expect(sent).toContain("Redacted.");
  expect(sent).toContain('"path":"b"');
  expect(sent).not.toMatch(/First|Second|c2ln|I write|"path\\*": *\\*"a/);
});

test("reasoning of OpenAI without a text goes back, and only as reasoning", async () => {
  const item = responses.reasoning("");
  const events = responses.reply(
    [responses.added(0, item), responses.done(0, item)],
    responses.callEvents(1, responses.call("write", '{"path":"a"}')),
  );
  const server = world([
    () => sseResponse(sseBytes(events)),
    () => sseResponse(sseBytes(responses.reply(responses.messageEvents(0, "Done.")))),
  ]);
  const model = languageModel(openai("gpt-5.5", { apiKey: "key", fetch: server.fetch }));
  const { tools } = server;
  const result = streamText({ model, tools, prompt: "Go.", stopWhen: isStepCount(5) });
  const page = await result.toUIMessageStreamResponse({ sendReasoning: false }).text();
  expect(page).not.toContain("gAAA");
  expect(JSON.stringify(server.requests[1]?.body.input)).toContain("gAAA");
});

const image = { inlineData: { mimeType: "image/png", data: "AQID" } };
const drawn = {
  candidates: [
    {
      content: {
        role: "model",
        parts: [{ text: "Here." }, { ...image, thoughtSignature: "c2ln" }],
      },
      finishReason: "STOP",
      index: 0,
    },
  ],
};

test.each([true, false])(
  "an image of a reply is a file, and goes back, streamed: %s",
  async (isStreamed) => {
    const server = world([
      () => (isStreamed ? sseResponse(sseBytes([drawn])) : jsonResponse(drawn)),
      () => jsonResponse(drawn),
    ]);
    const at = { apiKey: "key", fetch: server.fetch };
    const first = languageModel(google("gemini-3-pro-image", { ...at, stream: isStreamed }));
    const asked = { model: first, prompt: "Draw." };
    const result = isStreamed ? streamText(asked) : await generateText(asked);
    expect((await result.files).map(({ mediaType, base64 }) => [mediaType, base64])).toEqual([
      ["image/png", "AQID"],
    ]);
    const { messages } = await result.response;
    expect(JSON.stringify(messages).match(/AQID/g)).toHaveLength(1);
    await ask(languageModel(google("gemini-3-pro-image", { ...at, stream: false })), messages);
    expect(server.requests[1]?.body.contents[1].parts).toMatchObject(
      drawn.candidates[0]?.content.parts ?? [],
    );
  },
);

test("headers and options of a request that the adapter does not send are a warning", async () => {
  const { warnings } = await generateText({
    model: languageModel(mock(["Hello."])),
    prompt: "Hello.",
    headers: { "x-trace": "1" },
    providerOptions: { anthropic: { effort: "low" } },
  });
  expect(warnings).toMatchObject([
    { type: "unsupported", feature: "the header x-trace" },
    { type: "unsupported", feature: "providerOptions.anthropic" },
  ]);
});

test("a large file is encoded whole", async () => {
  const adapter = mock(["Hello."]);
  const data = Uint8Array.from({ length: 100_001 }, (_, at) => at % 251);
  await generateText({
    model: languageModel(adapter),
    messages: [{ role: "user", content: [{ type: "file", mediaType: "application/pdf", data }] }],
  });
  const [sent] = adapter.requests[0]?.messages ?? [];
  expect(sent).toMatchObject({ content: [{ data: Buffer.from(data).toString("base64") }] });
});
