import type { RunOptions } from "@fullstop/loop";
import { mock, type Script } from "@fullstop/provider-mock";
import { describe, expect, test } from "vitest";
import { toolNamed, traced } from "./agents.ts";

/** Each of them stands for what a person, the model or a tool said. */
const secrets = {
  system: "SECRET-SYSTEM",
  prompt: "SECRET-PROMPT",
  thinking: "SECRET-THINKING",
  text: "SECRET-TEXT",
  input: "SECRET-INPUT",
  result: "SECRET-RESULT",
  failure: "SECRET-FAILURE",
  cut: "SECRET-CUT",
  denial: "SECRET-DENIAL",
  answer: "SECRET-ANSWER",
};
const script: Script = [
  {
    thinking: secrets.thinking,
    text: secrets.text,
    calls: ["look", "fail", "pay"].map((name) => ({ name, id: name, input: { q: secrets.input } })),
  },
  { calls: [{ name: "look", inputText: `{"q":"${secrets.cut}` }], stop: "length" },
  { text: secrets.answer, stop: "refusal" },
];
const options = (): Partial<RunOptions> => ({
  adapter: mock(script),
  system: secrets.system,
  prompt: secrets.prompt,
  tools: [
    toolNamed("look", () => secrets.result),
    toolNamed("fail", () => {
      throw new Error(secrets.failure);
    }),
    toolNamed("pay"),
  ],
  approve: ({ name }) => (name === "pay" ? { deny: secrets.denial } : true),
});

test("nothing that was said is sent by default", async () => {
  const { text, spans } = await traced(options());
  expect(spans.length).toBeGreaterThan(5);
  expect(text).not.toContain("SECRET");
});

describe("with `content`", () => {
  test("messages, inputs, results and reasons are sent in the form of the conventions", async () => {
    const { text, spanNamed, spansNamed } = await traced(options(), true);
    const missing = Object.values(secrets).filter((secret) => !text.includes(secret));
    expect(missing).toEqual([]);
    const { attributes } = spanNamed("execute_tool look");
    expect(JSON.parse(String(attributes["gen_ai.tool.call.arguments"]))).toEqual({
      q: secrets.input,
    });
    expect(attributes["gen_ai.tool.call.result"]).toBe(secrets.result);
    const [reply] = spansNamed("chat mock");
    expect(JSON.parse(String(reply?.attributes["gen_ai.output.messages"]))).toEqual([
      {
        role: "assistant",
        parts: [
          { type: "reasoning", content: secrets.thinking },
          { type: "text", content: secrets.text },
          ...["look", "fail", "pay"].map((name) => ({
            type: "tool_call",
            id: name,
            name,
            arguments: JSON.stringify({ q: secrets.input }),
          })),
        ],
        finish_reason: "tool-use",
      },
    ]);
    const root = spanNamed("invoke_agent").attributes;
    expect(JSON.parse(String(root["gen_ai.input.messages"]))).toContainEqual({
      role: "user",
      parts: [{ type: "text", content: secrets.prompt }],
    });
  });

  test("each request has its own instructions, messages and tools", async () => {
    const native = { provider: "mock", name: "search", definition: { key: "SECRET-KEY" } };
    const { tools = [] } = options();
    const { text, spansNamed } = await traced({ ...options(), tools: [...tools, native] }, true);
    const asked = spansNamed("chat mock").map(({ attributes }) => {
      const parsed = (name: string) => JSON.parse(String(attributes[`gen_ai.${name}`]));
      return {
        system: parsed("system_instructions"),
        messages: parsed("input.messages") as readonly { readonly role: string }[],
        tools: parsed("tool.definitions"),
      };
    });
    const [first, second] = asked;
    expect(asked.map(({ system }) => system)).toEqual(
      asked.map(() => [{ type: "text", content: secrets.system }]),
    );
    expect(first?.messages).toEqual([
      { role: "user", parts: [{ type: "text", content: secrets.prompt }] },
    ]);
    expect(second?.messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool"]);
    expect(JSON.stringify(second?.messages)).toContain(secrets.result);
    expect(first?.tools).toEqual([
      ...["look", "fail", "pay"].map((name) => ({
        type: "function",
        name,
        description: name,
        parameters: { type: "object" },
      })),
      { type: "native", name: "search" },
    ]);
    expect(text).not.toContain("SECRET-KEY");
  });
});
