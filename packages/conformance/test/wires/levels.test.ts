import { expect, test } from "vitest";
import type { Wire } from "../../src/index.ts";
import { wires } from "../../src/wires/index.ts";

const named: Readonly<Record<string, Wire>> = wires;
const question = { role: "user", content: "Hi." };

const claude = (rest: object): object => ({
  model: "claude-sonnet-5-5",
  max_tokens: 10,
  messages: [question],
  tools: [{ name: "read", input_schema: { type: "object" } }],
  ...rest,
});
const claudeCall = (id: string, name = "read"): object =>
  claude({
    messages: [
      question,
      { role: "assistant", content: [{ type: "tool_use", id, name, input: {} }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: id, content: "ok" }] },
    ],
  });

const chat = (...messages: readonly object[]): object => ({
  model: "m",
  messages: [question, ...messages],
});
const chatTool = { type: "function", function: { name: "read" } };
const chatCall = (id: string): object =>
  chat(
    {
      role: "assistant",
      content: null,
      tool_calls: [{ id, type: "function", function: { name: "read", arguments: "{}" } }],
    },
    { role: "tool", tool_call_id: id, content: "ok" },
  );

const tool = { type: "function", name: "read", parameters: { type: "object", properties: {} } };
const responses = (rest: object): object => ({ model: "m", input: "Hi.", tools: [tool], ...rest });
const longName = "a".repeat(100);

const declare = (name: string): object => ({
  contents: [{ role: "user", parts: [{ text: "Hi." }] }],
  tools: [{ functionDeclarations: [{ name, parametersJsonSchema: { type: "object" } }] }],
});

const step = (id: string): object => ({
  type: "function_call",
  id,
  name: "read",
  arguments: {},
  signature: "sig",
});
const answer = (id: string): object => ({
  type: "function_result",
  call_id: id,
  name: "read",
  result: "ok",
});
const interaction = (...answers: readonly object[]): object => ({
  model: "gemini-3-pro",
  input: [
    { type: "user_input", content: [{ type: "text", text: "Hi." }] },
    step("a"),
    step("b"),
    ...answers,
  ],
});

type Levels = readonly ("must" | "should")[];
type Row = readonly [what: string, wire: string, request: object, levels: Levels];

test.for<Row>([
  ["a cap of 0 fills the cache", "anthropic-messages", claude({ max_tokens: 0 }), []],
  ["a long id", "anthropic-messages", claudeCall("a".repeat(65)), ["should"]],
  ["an id with a dot", "anthropic-messages", claudeCall("a.b"), ["must"]],
  ["a call with a long name", "anthropic-messages", claudeCall("a", "a".repeat(150)), []],
  ["an id of 41 characters", "openai-chat", chatCall("a".repeat(41)), ["should"]],
  ["an id of 65 characters", "openai-chat", chatCall("a".repeat(65)), ["must"]],
  [
    "the older form of a call",
    "openai-chat",
    chat({ role: "assistant", content: null, function_call: { name: "read", arguments: "{}" } }),
    [],
  ],
  ["an empty answer", "openai-chat", chat({ role: "assistant", content: null }), ["must"]],
  ["two tools of one name", "openai-chat", { ...chat(), tools: [chatTool, chatTool] }, ["should"]],
  ["two tools of one name", "openai-responses", responses({ tools: [tool, tool] }), ["should"]],
  [
    "a choice without tools",
    "openai-responses",
    responses({ tools: [], tool_choice: "auto" }),
    ["should"],
  ],
  [
    "a tool with a long name",
    "openai-responses",
    responses({ tools: [{ ...tool, name: longName }] }),
    [],
  ],
  [
    "a tool without a schema",
    "openai-responses",
    responses({ tools: [{ ...tool, parameters: null }] }),
    ["should", "should"],
  ],
  [
    "a schema without properties",
    "openai-responses",
    responses({ tools: [{ ...tool, parameters: { type: "object" } }] }),
    ["must"],
  ],
  [
    "an output without a call id",
    "openai-responses",
    responses({ input: [question, { type: "function_call_output", output: "ok" }] }),
    ["should"],
  ],
  [
    "an output with an empty call id",
    "openai-responses",
    responses({ input: [question, { type: "function_call_output", call_id: "", output: "ok" }] }),
    ["must", "must"],
  ],
  ["a tool with a long name", "gemini-generate-content", declare(longName), []],
  ["a tool with a longer name", "gemini-generate-content", declare("a".repeat(129)), ["must"]],
  ["results in order", "gemini-interactions", interaction(answer("a"), answer("b")), []],
  [
    "results in another order",
    "gemini-interactions",
    interaction(answer("b"), answer("a")),
    ["should"],
  ],
  ["one result twice", "gemini-interactions", interaction(answer("a"), answer("a")), ["must"]],
])("%s, %s: what no source shows is not a must", ([, wire, request, levels]) => {
  const found = Object.values(named)
    .find(({ name }) => name === wire)
    ?.violations(request);
  expect(found?.map(({ level = "must" }) => level)).toEqual(levels);
});
