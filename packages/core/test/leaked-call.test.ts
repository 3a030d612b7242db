import { describe, expect, test } from "vitest";
import type { EventBatches, TurnEvent } from "../src/adapter/index.ts";
import { readTurn, restoreTurn, type Turn, type TurnRequest } from "../src/index.ts";
import { acme } from "./acme.ts";
import { type Native, read, stop, text, thinking, usage } from "./reply.ts";

const tools: TurnRequest["tools"] = ["read", "write"].map((name) => ({
  name,
  description: "A tool.",
  inputSchema: { type: "object" },
}));

const turnOf = (natives: readonly Native[], request: Partial<TurnRequest> = {}): Promise<Turn> =>
  readTurn(
    acme({
      open: async () =>
        (async function* () {
          yield natives;
        })() as EventBatches<TurnEvent>,
    }),
    { messages: [{ role: "user", content: "Go." }], tools, ...request },
  );
const leakOf = (turn: Turn): Turn["leakedCall"] =>
  "leakedCall" in turn ? turn.leakedCall : undefined;
const leakIn = async (written: string, word = "done"): Promise<Turn["leakedCall"]> =>
  leakOf(await turnOf([text(written), stop(word, false)]));

const invoke = '<invoke name="read">\n<parameter name="path">/srv</parameter>\n</invoke>';
const tag = '<tool_call>{"name": "read", "arguments": {"path": "/srv"}}</tool_call>';

describe("a reply that ends in a call which the model wrote as text", () => {
  test("says which tool it names, and where the call begins", async () => {
    const turn = await turnOf([text(`I look.\n\n${invoke}`), stop("done", false)]);
    expect(turn).toMatchObject({ stopReason: "stop", calls: [], withheld: [] });
    expect(leakOf(turn)).toEqual({ name: "read", form: "invoke", in: "text", at: 7 });
    expect(turn.text).toBe(`I look.\n\n${invoke}`);
  });

  test.each([
    ["finished", "done"],
    ["finished for calls that did not come", "tool"],
    ["was cut by the cap", "budget"],
    ["filled the window", "full"],
  ])("says so if it %s", async (_, word) => {
    expect(await leakIn(tag, word)).toMatchObject({ name: "read", form: "tool-call-json" });
  });

  test.each([["policy"], ["declined"], ["paused"], ["failed"], ["new-word"]])(
    "says nothing if it ended with %s",
    async (word) => {
      expect(await leakIn(tag, word)).toBeUndefined();
    },
  );

  test("says nothing if the connection was lost", async () => {
    expect(leakOf(await turnOf([text(tag)]))).toBeUndefined();
  });

  test("says nothing if it also has a structured call", async () => {
    expect(await turnOf([text(tag), read, stop("tool", false)])).not.toHaveProperty("leakedCall");
    const cut = await turnOf([text(tag), read, stop("budget", false)]);
    expect(cut.withheld).toHaveLength(1);
    expect(leakOf(cut)).toBeUndefined();
  });

  test("is found in the thinking of a reply that has no text", async () => {
    const before = "I need the file. ";
    const silent = await turnOf([thinking(before), thinking(tag), stop("done", false)]);
    expect(leakOf(silent)).toMatchObject({ in: "thinking", at: before.trimEnd().length });
    const answered = await turnOf([thinking(tag), text("It is there."), stop("done", false)]);
    expect(leakOf(answered)).toBeUndefined();
  });

  test("keeps this through a journal", async () => {
    const turn = await turnOf([text(tag), stop("done", false)]);
    const stored = JSON.parse(JSON.stringify(turn));
    expect(leakOf(restoreTurn(stored))).toEqual(leakOf(turn));
    expect(() => restoreTurn({ ...stored, leakedCall: { name: 7 } })).toThrow("leakedCall");
  });
});

const schema = { type: "object", properties: { path: { type: "string" } }, required: ["path"] };
const definition = { name: "read", description: "Reads a file.", parameters: schema };

test.each([
  [
    "with an input that looks like a part of a schema",
    '{"name":"read","parameters":{"type":"file"}}',
  ],
  ["whose input has a description", '{"name":"read","arguments":{"description":"a","path":"b"}}'],
  ["behind a list", `- One.\n- Two.\n\n${tag}`],
  ["behind a quotation", `> Read it.\n\n${tag}`],
  ["behind code of HTML", `The tag is <code>a</code>.\n${tag}`],
  ["behind the name of a tag", `I write <code> first.\n${tag}`],
  ["behind a block of reStructuredText", `For example::\n\n  a\n\nNow:\n${tag}`],
  ["in the element of a group", `<function_calls>\n${invoke}\n</function_calls>`],
  ["in the element of the thinking", `<think>\n${tag}\n</think>`],
])("a call %s is found", async (_, written) => {
  expect(await leakIn(written)).toMatchObject({ name: "read" });
});

describe("a text is an answer, not a leaked call,", () => {
  test.each([
    ["if it goes on behind the call", `${tag}\nThat is how a model calls.`],
    ["if the call is in a block of code", `For example:\n\`\`\`xml\n${invoke}\n\`\`\``],
    ["if that block was cut", `For example:\n\`\`\`\n${invoke}`],
    ["if the block is in a list", `- For example:\n  ~~~\n  ${tag}\n  ~~~\n`],
    ["if the call is an indented block", `For example:\n\n    ${tag}`],
    ["if it shows other markup first", `<function=name> is the tag.\n${tag}`],
    [
      "if a call without its end is followed by a sentence",
      "GLM writes <tool_call>read<arg_key>path</arg_key> as the others do.",
    ],
    ["if the call is inline code", `Write \`${tag}\``],
    ["if it showed the markup as code before", `The tag is \`<tool_call>\`. So write:\n${tag}`],
    ["if no tool of this name was offered", tag.replace("read", "delete")],
    ["if it names the markup only", "The server expects <tool_call> and </tool_call>"],
    ["if the JSON is not a call", '<tool_call>{"name": "read"}</tool_call>'],
    ["if it is JSON with other members", '{"name": "read", "kind": "verb"}'],
    ["if a word only contains a mark", 'recall:read{"path":1}'],
    ["if the JSON defines a tool", JSON.stringify(definition)],
    ["if JSON defines tools in a list", JSON.stringify([definition, definition], null, 2)],
    [
      "if JSON defines a tool under `function`",
      JSON.stringify({ type: "function", function: definition }),
    ],
    ["if a definition has no description", JSON.stringify({ name: "read", parameters: schema })],
    [
      "if a definition has a schema without members",
      '{"name":"read","parameters":{"type":"object"}}',
    ],
    ["if a definition is in markup", `<tool_call>${JSON.stringify(definition)}</tool_call>`],
    ["if the call is in a quotation", `The log says:\n> ${tag}`],
    ["if the call is in a quotation of several lines", `The log says:\n> It calls\n> ${tag}\n`],
    ["if the call is in a block of HTML", `For example:\n<pre><code>\n${invoke}\n</code></pre>`],
    ["if the call is in code of HTML", `Write <code>${tag}</code>`],
    ["if the call is an item of a list", `For example:\n\n- ${tag}`],
    ["if the call is an item of a list with numbers", `1. One.\n2. ${tag}\n`],
    ["if the call is in a block of reStructuredText", `For example::\n\n  ${tag}`],
    ["if the call is in a directive", `.. code-block:: xml\n   :caption: A call\n\n   ${tag}\n`],
    ["if another element contains the call", `<example>\n${invoke}\n</example>`],
  ])("%s", async (_, written) => {
    expect(await leakIn(written)).toBeUndefined();
  });

  test("if no tools were offered", async () => {
    const turn = await turnOf([text(tag), stop("done", false)], { tools: [] });
    expect(leakOf(turn)).toBeUndefined();
  });

  test("if it is the object that was asked for", async () => {
    const object = '{"name": "read", "arguments": {}}';
    const asked = await turnOf([text(object), stop("done", false), usage(5)], {
      output: { schema: { type: "object" } },
    });
    expect(asked).toMatchObject({ output: { value: { name: "read" } } });
    expect(leakOf(asked)).toBeUndefined();
    expect(await leakIn(object)).toMatchObject({ form: "json", at: 0 });
  });
});

test("an earlier call in the text is part of what is left out", async () => {
  expect(await leakIn(`First.\n${tag}\nThen the other:\n${tag}`)).toMatchObject({ at: 6 });
});

test("a block of code before the call, and one inside it, change nothing", async () => {
  const written = `I run this:\n\`\`\`sh\nls\n\`\`\`\n<function=write>\n<parameter=text>\n\`\`\`js\na()\n\`\`\`\n</parameter>\n</function>`;
  expect(await leakIn(written)).toMatchObject({ name: "write", form: "function-tag", at: 24 });
});

test.each([
  ["marks without a call", "<tool_call>"],
  ["marks of calls that are not offered", '<invoke name="delete">\n<'],
  ["calls that are not offered", '<tool_call>{"name":"x","arguments":{}}</tool_call>. '],
  ["JSON that never ends", '<tool_call>{"name":"x","arguments":{"a":"'],
  ["JSON that is not valid", '<tool_call>{"name":"x","arguments":[1 '],
  ["space between marks", `to=functions.x${" ".repeat(300)}`],
  ["blocks of code", "```\n"],
  ["lists", '[TOOL_CALLS][{"name":"x"},'],
])("one million characters of %s are read", async (_, piece) => {
  const written = `.${piece.repeat(Math.ceil(1_000_000 / piece.length))}`;
  expect(await leakIn(written)).toBeUndefined();
});
