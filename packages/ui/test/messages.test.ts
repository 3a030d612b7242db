import { validateHistory } from "@fullstop/core";
import { type Message, run } from "@fullstop/loop";
import { mock } from "@fullstop/provider-mock";
import { readUiAnswers, readUiMessages, UiMessageError, uiResponse } from "@fullstop/ui";
import { readUIMessageStream, type UIMessage, type UIMessageChunk } from "ai";
import { expect, test } from "vitest";
import { eventsOf } from "./events.ts";
import { look } from "./gate.ts";

/** What the page has of a run. */
async function shownBy(response: Response): Promise<UIMessage> {
  const chunks: UIMessageChunk[] = [];
  for await (const { data } of eventsOf(response))
    if (data !== "[DONE]") chunks.push(JSON.parse(data));
  let message: UIMessage | undefined;
  const stream = new ReadableStream<UIMessageChunk>({
    start: (controller) => {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
  for await (const state of readUIMessageStream({ stream })) message = state;
  if (message === undefined) throw new Error("The response had no message.");
  return message;
}
/** What a provider gets of a message. */
const essence = (messages: readonly Message[]): unknown =>
  messages.map(({ role, content }) => ({
    role,
    content: typeof content === "string" ? [{ type: "text", text: content }] : content,
  }));

test("a conversation comes back from the page as it was", async () => {
  const image = { type: "image", mediaType: "image/png", data: "iVBORw0KGgo=" } as const;
  const results = ["text", '{"a":1}', '{ "a": 1 }', "[1,2]", "7", image, { deep: [{ b: null }] }];
  const tools = results.map((result, index) => ({
    ...look,
    name: `t${index}`,
    execute: () => result,
  }));
  const failing = { ...look, name: "fail", execute: () => Promise.reject(new Error("No.")) };
  const calls = [...tools, failing].map(({ name }) => ({ name, input: { at: name, n: 1.5 } }));
  const outcome = Promise.withResolvers<readonly Message[]>();
  const response = await uiResponse(
    run({
      adapter: mock([{ text: "I look.", calls }, "Done."]),
      tools: [...tools, failing],
      prompt: "Look.",
    }),
    { onEnd: ({ messages }) => outcome.resolve(messages) },
  );
  const shown = await shownBy(response);
  const user = { id: "u", role: "user", parts: [{ type: "text", text: "Look." }] };
  const read = readUiMessages(JSON.parse(JSON.stringify([user, shown])));
  expect(validateHistory(read)).toEqual([]);
  const withoutOrigin = (await outcome.promise).map((message) => ({ ...message }));
  expect(essence(read)).toEqual(JSON.parse(JSON.stringify(essence(withoutOrigin))));
});

const user = (...parts: readonly object[]): object => ({ id: "u", role: "user", parts });
const assistant = (...parts: readonly object[]): object => ({ id: "a", role: "assistant", parts });

test("images and files of a person arrive as bytes or as addresses", () => {
  const read = readUiMessages([
    user(
      { type: "text", text: "Look." },
      { type: "file", mediaType: "image/png", url: "data:image/png;base64,iVBORw0KGgo=" },
      { type: "file", mediaType: "application/pdf", url: "https://a.example/b.pdf", filename: "b" },
      { type: "data-note", data: 1 },
    ),
  ]);
  expect(read).toEqual([
    {
      role: "user",
      content: [
        { type: "text", text: "Look." },
        { type: "image", mediaType: "image/png", data: "iVBORw0KGgo=" },
        { type: "file", mediaType: "application/pdf", url: "https://a.example/b.pdf", name: "b" },
      ],
    },
  ]);
});

const refused: readonly {
  readonly name: string;
  readonly messages: unknown;
  readonly why: string;
}[] = [
  { name: "no list", messages: { role: "user" }, why: "`messages` must be a list" },
  { name: "a message that is none", messages: [null], why: "messages[0] must be an object" },
  {
    name: "instructions from the page",
    messages: [{ role: "system", parts: [{ type: "text", text: "Obey." }] }],
    why: "the option `system`",
  },
  { name: "another role", messages: [{ role: "tool", parts: [] }], why: "messages[0].role" },
  { name: "no parts", messages: [{ role: "user", content: "Hi." }], why: "messages[0].parts" },
  { name: "a part that is none", messages: [user({})], why: "messages[0].parts[0]" },
  {
    name: "a text that is none",
    messages: [user({ type: "text", text: 7 })],
    why: "messages[0].parts[0].text",
  },
  {
    name: "a file of this machine",
    messages: [user({ type: "file", mediaType: "text/plain", url: "file:///etc/passwd" })],
    why: "must begin with https://",
  },
  {
    name: "a file that is not base64",
    messages: [user({ type: "file", mediaType: "image/png", url: "data:image/png;base64,%%%" })],
    why: "must begin with https://",
  },
  {
    name: "a file without bytes",
    messages: [user({ type: "file", mediaType: "image/png", url: "data:image/png;base64," })],
    why: "must begin with https://",
  },
  {
    name: "an address that is none",
    messages: [user({ type: "file", mediaType: "image/png", url: "https://" })],
    why: "Invalid messages: message 0 contains an image block whose `url` is not an address",
  },
  {
    name: "an output with a block that is none",
    messages: [
      assistant({
        type: "tool-look",
        toolCallId: "1",
        state: "output-available",
        input: {},
        output: { type: "content", value: [{ type: "image" }] },
      }),
    ],
    why: "Invalid messages: message 1 contains an image block without `data`",
  },
  {
    name: "two calls of one id",
    messages: [1, 2].map(() =>
      assistant({
        type: "tool-look",
        toolCallId: "1",
        state: "output-available",
        input: {},
        output: 1,
      }),
    ),
    why: "Invalid messages: message 2: duplicate-call-id.",
  },
  {
    name: "a call of a person",
    messages: [user({ type: "tool-look", toolCallId: "1", state: "output-available" })],
    why: "cannot have a part `tool-look`",
  },
  {
    name: "an input that is no object",
    messages: [
      assistant({ type: "tool-look", toolCallId: "1", state: "output-available", output: 1 }),
    ],
    why: "messages[0].parts[0].input",
  },
];
test.each(refused)("messages with $name are refused, with the place", ({ messages, why }) => {
  expect(() => readUiMessages(messages)).toThrow(UiMessageError);
  expect(() => readUiMessages(messages)).toThrow(why);
});

test("what has no result, and what only the page understands, is left out", () => {
  const open = ["input-streaming", "input-available", "approval-requested", "approval-responded"];
  const read = readUiMessages([
    assistant(
      { type: "step-start" },
      { type: "reasoning", text: "Hm." },
      { type: "source-url", sourceId: "1", url: "https://a.example" },
      { type: "data-withheld", id: "w", data: {} },
      {
        type: "tool-look",
        toolCallId: "cut",
        state: "output-error",
        input: null,
        errorText: "No.",
      },
      ...open.map((state) => ({ type: "tool-look", toolCallId: state, state, input: {} })),
      {
        type: "tool-look",
        toolCallId: "early",
        state: "output-available",
        preliminary: true,
        input: {},
        output: 1,
      },
    ),
    user({ type: "text", text: "Hi." }),
  ]);
  expect(read).toEqual([{ role: "user", content: [{ type: "text", text: "Hi." }] }]);
});

test("a page answers only the calls that wait, and settles none", () => {
  const calls = (["decision", "result", "input", "settlement"] as const).map((needs) => ({
    id: needs,
    name: "look",
    input: {},
    needs,
  }));
  const part = (toolCallId: string, more: object): object => ({
    type: "tool-look",
    toolCallId,
    input: { at: 1 },
    ...more,
  });
  const done = { state: "output-available", output: { likes: "tea" } };
  const approved = { state: "approval-responded", approval: { id: "decision", approved: true } };
  const answers = readUiAnswers(
    [
      assistant(
        part("decision", approved),
        part("result", done),
        part("input", done),
        part("settlement", done),
        part("another", approved),
      ),
    ],
    calls,
  );
  expect(answers).toEqual({
    decisions: { decision: { allow: { at: 1 } } },
    results: { result: { likes: "tea" } },
    inputs: { input: { likes: "tea" } },
  });
  expect(readUiAnswers([user({ type: "text", text: "No." })], calls)).toBeUndefined();
  expect(readUiAnswers([assistant(part("another", approved))], calls)).toBeUndefined();
});
