import vm from "node:vm";
import {
  type BeforeTurn,
  type Compact,
  jsonSchema,
  type Message,
  type RunOptions,
  run,
  type Tool,
} from "@fullstop/loop";
import { mock, type Script } from "@fullstop/provider-mock";
import { expect, test } from "vitest";
import { recorder } from "./tools.ts";

const called: Script = [{ calls: [{ name: "look", input: {} }] }, "Done."];
const outcomeOf = (options: Partial<RunOptions>) =>
  run({ adapter: mock(called), tools: [recorder("look")], prompt: "Go.", ...options }).outcome();
const resultOf = async (execute: () => never) => {
  const { messages } = await outcomeOf({ tools: [recorder("look", execute)] });
  const results = messages.flatMap((message) => (message.role === "tool" ? message.content : []));
  return results[0];
};

const invalidMessages: readonly (readonly [unknown, string])[] = [
  ["Hello.", "expected an array"],
  [[null], "message 0 is not an object"],
  [
    [{ role: "system", content: "Be brief." }],
    'message 0 has the role "system": use the option `system` instead',
  ],
  [
    [{ role: "model", parts: [] }],
    'message 0 has the role "model"; the roles are user, assistant, tool',
  ],
  [
    [
      { role: "user", content: "Hi." },
      { role: "assistant", content: "Hello." },
    ],
    'message 1 has the role "assistant" and a `content` that is not a list of blocks',
  ],
  [
    [{ role: "user" }],
    'message 0 has the role "user" and a `content` that is not a list of blocks',
  ],
  [
    [{ role: "user", content: ["Hi."] }],
    'message 0 has the role "user" and a `content` that is not a list of blocks',
  ],
];
test.each(invalidMessages)(
  "messages with the shape of another library are an error that says what is wrong: %j",
  (messages, words) => {
    expect(() => run({ adapter: mock([]), messages: messages as Message[] })).toThrow(
      typeof messages === "string"
        ? "`messages` must be a list of messages, not"
        : `Invalid \`messages\`: ${words}.`,
    );
  },
);

test.each(invalidMessages)(
  "invalid messages of beforeTurn are an error that says what is wrong: %j",
  async (messages, words) => {
    const beforeTurn = (() => ({ messages })) as BeforeTurn;
    await expect(outcomeOf({ beforeTurn })).rejects.toThrow(
      `\`beforeTurn\` must return \`messages\` of users: ${words}.`,
    );
  },
);

test.each(invalidMessages)(
  "an invalid compacted conversation fails the run, and the error is the summary: %j",
  async (messages, words) => {
    const outcome = await outcomeOf({
      adapter: mock([{ stop: "context-window" }]),
      recovery: { compact: (() => messages) as Compact },
    });
    const message = `The context window is full, and \`recovery.compact\` did not help: its result is not valid: ${words}.`;
    expect(outcome).toMatchObject({
      status: "failed",
      error: { kind: "context-window", message },
      summary: message,
    });
  },
);

test("an execute that is not a function is an error at once", () => {
  const bare = { name: "look", description: "Look.", inputSchema: jsonSchema({ type: "object" }) };
  expect(() =>
    run({
      adapter: mock([]),
      prompt: "Go.",
      tools: [{ ...bare, execute: "ls" } as unknown as Tool],
    }),
  ).toThrow('`tools[0].execute` must be a function, not "ls".');
});

test("a native tool with an execute runs, and the provider gets its own definition", async () => {
  const model = mock(called);
  const definition = { type: "look_20261101" };
  const look = Object.assign(recorder("look"), { provider: "mock", definition });
  expect(await outcomeOf({ adapter: model, tools: [look] })).toMatchObject({ status: "done" });
  expect(model.requests[0]?.tools).toMatchObject([
    { provider: "mock", definition: { type: "look_20261101" } },
  ]);
  expect(look.ran).toEqual([{}]);
});

test("an error of another realm is reported by its message", async () => {
  expect(
    await resultOf((): never => vm.runInNewContext("throw new TypeError('no such path')") as never),
  ).toMatchObject({
    content: "look failed: no such path",
  });
});

test("an error whose message is not a string is reported", async () => {
  const odd = (message: unknown) => () => {
    throw Object.assign(new RangeError(), { message });
  };
  expect(await resultOf(odd(undefined))).toMatchObject({ content: "look failed: RangeError" });
  expect(await resultOf(odd(Symbol("lost")))).toMatchObject({
    content: "look failed: Symbol(lost)",
  });
});

test("an error that throws when it is looked at is reported", async () => {
  const throws = (): never => {
    throw new Error("No.");
  };
  const hostile = [
    Object.defineProperty(new Error("x"), "name", { get: throws }),
    new Proxy(new Error("x"), { getPrototypeOf: throws }),
    new Proxy(new Error("x"), { get: throws }),
  ];
  for (const error of hostile)
    expect(
      await resultOf(() => {
        throw error;
      }),
    ).toMatchObject({ content: expect.stringMatching(/^look failed: /), isError: true });
});

class Page {
  readonly #html = "<p>Hello.</p>";
  html(): string {
    return this.#html;
  }
}
test.each<[string, unknown, string]>([
  ["a Map", new Map([["a", 1]]), "JSON cannot hold Map"],
  ["a Response", new Response("Hello."), "JSON cannot hold Response"],
  ["an object with private members", [new Page()], "JSON cannot hold Page"],
  ["a promise without an await", { page: Promise.resolve("Hello.") }, "JSON cannot hold Promise"],
  [
    "an error inside",
    { ok: false, error: new Error("no disk") },
    "JSON cannot hold an error: no disk",
  ],
  ["bytes", Buffer.from("Hello."), "bytes are not JSON"],
])("an output whose data JSON would leave out is an error result: %s", async (_, output, why) => {
  const content = `look finished, but its output cannot be converted to JSON (${why}). Do not call it again only to see the output.`;
  expect(await resultOf(() => output as never)).toMatchObject({ content, isError: true });
});

test("an image without bytes, which every provider refuses, is an error result", async () => {
  const image = { type: "image", mediaType: "image/png", data: "" };
  expect(await resultOf(() => image as never)).toMatchObject({
    content: "look finished, but its output contains an image block whose `data` is empty.",
    isError: true,
  });
});

test("an empty object is data, also one without a prototype or of another realm", async () => {
  const outputs = [{}, { list: [{}] }, Object.create(null), vm.runInNewContext("({ a: {} })")];
  const contents = [];
  for (const output of outputs) contents.push((await resultOf(() => output as never))?.content);
  expect(contents).toEqual(["{}", '{"list":[{}]}', "{}", '{"a":{}}']);
});

test("a price that returns a string is an error", async () => {
  await expect(
    outcomeOf({ limits: { price: () => "0.5" as unknown as number, cost: 0.6 } }),
  ).rejects.toThrow("`limits.price` must return a number, at least 0, not 0.5.");
});
