import { appendMessage, createGate, explain, readObject, readTurn } from "@fullstop/core";
import { checkAdapterOptions, commonKinds, defineAdapter } from "@fullstop/core/adapter";
import { expect, test } from "vitest";
import { acme, acmeSpec } from "./acme.ts";

const messages = [{ role: "user", content: "Go." }];
const schema = { "~standard": { version: 1, vendor: "test", validate: () => ({ issues: [] }) } };

test.each<[object, string]>([
  [{ max_tokens: 5 }, "Unknown option `request.max_tokens`. Did you mean `request.maxTokens`?"],
  [{ maxOutputTokens: 5 }, "Did you mean `request.maxTokens`?"],
  [{ instructions: "Be brief." }, "Did you mean `request.system`?"],
  [{ response_format: {} }, "Did you mean `request.output`?"],
  [
    { temperature: 0 },
    "Unknown option `request.temperature`. Parameters of the provider belong to the adapter: `params`. The options of a request are: system, messages, tools,",
  ],
  [{ maxTokens: "5" }, '`request.maxTokens` must be a whole number, at least 1, not "5".'],
  [{ tools: {} }, "`request.tools` must be a list of tools, not an object."],
  [
    { effort: "xhigh" },
    '`request.effort` must be one of "none", "low", "medium", "high", not "xhigh".',
  ],
  [{ toolChoice: "any" }, 'or `{ name }`, not "any".'],
])(
  "readTurn rejects a request that cannot work, before it is sent: %j",
  async (wrong, sentence) => {
    const adapter = acme({ open: () => Promise.reject(new Error("A request was sent.")) });
    await expect(readTurn(adapter, { messages, ...wrong } as never)).rejects.toThrow(sentence);
  },
);

test.each<[unknown, string]>([
  [{ idleMS: 5 }, "Unknown option `idleMS` of `readTurn`. Did you mean `idleMs`?"],
  [{ timeout: 5 }, "Did you mean `idleMs`?"],
  [{ abortSignal: undefined }, "Did you mean `signal`?"],
  [{ onChunk: () => {} }, "Did you mean `onPreview`?"],
  [
    { retries: 5 },
    "The options are: signal, onPreview, idleMs, firstEventMs, onFirstByte, onNatives.",
  ],
  [{ idleMs: 0 }, "`idleMs` of `readTurn` must be more than 0, not 0."],
  [{ signal: new AbortController() }, "`signal` of `readTurn` must be an `AbortSignal`"],
  [5, "The options of `readTurn` must be an object, not a number."],
])("readTurn rejects options that cannot work: %j", async (wrong, sentence) => {
  await expect(readTurn(acme(), { messages } as never, wrong as never)).rejects.toThrow(sentence);
});

test.each<[object, string]>([
  [
    { onChunk: () => {} },
    "Unknown option `onChunk` of `createGate`. The options are: signal, onPreview, maxTextLength.",
  ],
  [{ signal: true }, "`signal` of `createGate` must be an `AbortSignal`."],
])("createGate refuses options that cannot work: %j", (wrong, sentence) => {
  expect(() => createGate(acme(), {}, wrong as never)).toThrow(sentence);
});

const block = (shape: object) => ({ role: "user", content: [shape] });

test.each<[unknown, string]>([
  ["Go.", '`request.messages` must be a list of messages, not "Go.".'],
  [[null], "Invalid `request.messages`: message 0 is not an object."],
  [
    [messages[0], { role: "system", content: "Be brief." }],
    'message 1 has the role "system": use the option `system` instead.',
  ],
  [
    [{ role: "model", content: "Hi." }],
    'message 0 has the role "model"; the roles are user, assistant, tool.',
  ],
  [[{ role: "assistant", content: "Hi." }], "a `content` that is not a list of blocks."],
  [[block({ type: "image_url" })], 'a block of type "image_url"; the types are text, image, file.'],
  [
    [block({ type: "image", mimeType: "image/png", data: "" })],
    "but with `mimeType`: the shape is",
  ],
])(
  "readTurn rejects messages that are none, before a request is sent: %j",
  async (wrong, sentence) => {
    const adapter = acme({ open: () => Promise.reject(new Error("A request was sent.")) });
    await expect(readTurn(adapter, { messages: wrong } as never)).rejects.toThrow(sentence);
  },
);

test.each<unknown>([
  [[null]],
  [[{ role: "user" }]],
  [[{ role: "assistant", content: "Hi." }]],
  [[{ role: "assistant", content: [null] }]],
])("createGate refuses messages without their content: %j", (wrong) => {
  expect(() => createGate(acme(), { messages: wrong } as never)).toThrow(
    "`messages` of `createGate` must be a list of messages, each with its `role` and its `content`",
  );
});

test("readTurn checks a message again that changed", async () => {
  const message = { role: "user", content: [{ type: "text", text: "Go." }] as object[] };
  await readTurn(acme(), { messages: [message] } as never);
  message.content.push({ type: "text" });
  await expect(readTurn(acme(), { messages: [message] } as never)).rejects.toThrow(
    "message 0 contains a text block without `text`",
  );
});

test("readObject rejects what is not part of its request", async () => {
  const request = { messages, tools: [] };
  await expect(readObject(acme(), request as never, schema as never)).rejects.toThrow(
    "Unknown option `request.tools`. The options are: system, messages, maxTokens, effort, cache, name.",
  );
});

const check = (options: unknown) => () =>
  checkAdapterOptions(options as object, commonKinds as never, "acme");
test.each<[unknown, string]>([
  [{ apikey: "k" }, "Unknown option `apikey` of `acme`. Did you mean `apiKey`?"],
  [{ base_url: "u" }, "Did you mean `baseURL`?"],
  [{ defaultHeaders: {} }, "Did you mean `headers`?"],
  [{ max_output_tokens: 5 }, "Did you mean `maxTokens`?"],
  [{ temperature: 0 }, "belong in `params`, under the provider's own names."],
  [{ timeout: 5 }, "Retries and time limits belong to the caller"],
  [
    { maxTokens: { defaults: 5 } },
    "Unknown option `maxTokens.defaults`. Did you mean `maxTokens.default`?",
  ],
  [{ stream: "yes" }, "`stream` of `acme` must be true or false, not a string."],
  [null, "The options of `acme` must be an object, not null."],
])("an adapter refuses options that cannot work: %j", (wrong, sentence) => {
  expect(check(wrong)).toThrow(sentence);
});

test.each([undefined, "", { model: "one" }])("an adapter is not made for the model %j", (model) => {
  const make = () =>
    defineAdapter({ ...acmeSpec, model: model as string, open: () => Promise.reject() });
  expect(make).toThrow(new TypeError("The adapter of acme needs the name of a model."));
});

test("no error about the options of an adapter has a value: it may be a key", () => {
  for (const wrong of ["sk-1", { headers: "sk-1" }, { fetch: "sk-1" }, { client: "sk-1" }])
    expect(check(wrong)).toThrow(/^(?!.*sk-1)/);
  expect(check({ apiKey: 4711 })).toThrow("`apiKey` of `acme` must be a string, not a number.");
});

test("an adapter that has no such option is not suggested it", () => {
  const { apiKey: _, ...kinds } = commonKinds;
  expect(() => checkAdapterOptions({ authToken: "k" } as object, kinds as never, "acme")).toThrow(
    /The options are: baseURL, fetch, /,
  );
});

test("createGate says what to pass if it gets nothing", () => {
  expect(() => createGate(undefined as never)).toThrow(
    "`createGate` needs an adapter or a reply reader, such as `openaiReply(model)`.",
  );
});

test.each<[string, (given: never) => unknown, string]>([
  ["explain", explain, "a turn, such as the result of `readTurn`"],
  ["appendMessage", (given) => appendMessage(given, given), "a history and a message"],
])("%s says what to pass if it gets nothing, or something else", (name, call, what) => {
  for (const given of [undefined, null, 5, {}])
    expect(() => call(given as never)).toThrow(new TypeError(`\`${name}\` needs ${what}.`));
});

test("appendMessage says what to pass if it gets no message", () => {
  expect(() => appendMessage([], undefined as never)).toThrow("needs a history and a message.");
});
