import type { AgentWire } from "@fullstop/conformance";
import { wires } from "@fullstop/conformance/wires";
import { expect, test } from "vitest";
import { messagesOf } from "./messages.ts";

const agentOf = (name: keyof typeof wires): AgentWire => {
  const { agent } = wires[name];
  if (agent === undefined) throw new Error(`The wire ${name} has no agent.`);
  return agent;
};

const schema = {
  type: "object",
  properties: { file_path: { type: "string" } },
  required: ["file_path"],
};
/** As google-genai 3.4.0 for Python writes it. */
const googleGenai = {
  contents: [{ parts: [{ text: "Write." }], role: "user" }],
  systemInstruction: { parts: [{ text: "You write files." }], role: "user" },
  tools: [{ functionDeclarations: [{ name: "write", parameters_json_schema: schema }] }],
  generationConfig: { maxOutputTokens: 1024 },
};
/** As litellm writes it, with a call and its result. */
const snakeCase = {
  system_instruction: { parts: [{ text: "You write files." }] },
  tools: [{ function_declarations: [{ name: "write", parameters: schema }] }],
  tool_config: { function_calling_config: { mode: "AUTO" } },
  generation_config: { max_output_tokens: 1024 },
  contents: [
    { role: "user", parts: [{ text: "Write." }] },
    {
      role: "model",
      parts: [
        {
          function_call: { id: "1", name: "write", args: { file_path: "a", "old-key": 1 } },
          thought_signature: "c2lnbmF0dXJl",
        },
      ],
    },
    {
      role: "user",
      parts: [{ function_response: { id: "1", name: "write", response: { exit_code: 0 } } }],
    },
  ],
};

test("Gemini's fields are read in both spellings, and the keys of data stay", () => {
  const agent = agentOf("gemini");
  for (const body of [googleGenai, snakeCase]) {
    expect(agent.tools(body)).toEqual([{ name: "write", inputSchema: schema }]);
    expect(agent.opening?.(body)).toEqual({ system: "You write files.", firstMessage: "Write." });
    expect(wires.gemini.violations(body)).toEqual([]);
  }
  expect(agent.results(snakeCase)).toEqual([{ call: "1", text: '{"exit_code":0}' }]);
});

test("Gemini's rules are asked of both spellings", () => {
  const unsigned = structuredClone(snakeCase);
  for (const { parts } of unsigned.contents)
    for (const part of parts)
      if ("thought_signature" in part) Reflect.deleteProperty(part, "thought_signature");
  expect(messagesOf(wires.gemini.violations(unsigned))).toContain("missing a thought_signature");
  const capped = { ...snakeCase, generation_config: { max_output_tokens: -1 } };
  expect(messagesOf(wires.gemini.violations(capped))).toContain(
    "max_output_tokens must be positive",
  );
});

const custom = { type: "custom", name: "exec", format: { type: "text" } };
const wait = { type: "function", name: "wait", parameters: schema };

test("tools are read from namespaces and from additional_tools, custom ones too", () => {
  const agent = agentOf("openai-responses");
  const namespace = { type: "namespace", name: "code", description: "", tools: [wait, custom] };
  const offered = [
    { name: "wait", namespace: "code", inputSchema: schema },
    { name: "exec", namespace: "code", inputSchema: {}, takesText: true },
  ];
  expect(agent.tools({ tools: [namespace] })).toEqual(offered);
  const item = { type: "additional_tools", role: "developer", tools: [namespace, custom] };
  expect(agent.tools({ input: [item], tools: [wait] })).toEqual([
    { name: "wait", inputSchema: schema },
    ...offered,
    { name: "exec", inputSchema: {}, takesText: true },
  ]);
});

test("a tool choice may name a tool of additional_tools", () => {
  const message = { role: "user", content: "Go." };
  const item = { type: "additional_tools", role: "developer", tools: [custom] };
  const { violations } = wires["openai-responses"];
  const choice = { model: "gpt-6", tool_choice: "auto" };
  expect(violations({ ...choice, input: [item, message] })).toEqual([]);
  expect(violations({ ...choice, input: [message] })).not.toEqual([]);
});

const openings: Readonly<Record<keyof typeof wires, object>> = {
  anthropic: {
    system: [{ type: "text", text: "You write." }],
    messages: [{ role: "user", content: [{ type: "text", text: "Go." }] }],
  },
  "openai-chat": {
    messages: [
      { role: "system", content: "You write." },
      { role: "user", content: "Go." },
    ],
  },
  "openai-responses": {
    instructions: "You write.",
    input: [{ type: "message", role: "user", content: [{ type: "input_text", text: "Go." }] }],
  },
  gemini: {
    systemInstruction: { parts: [{ text: "You write." }] },
    contents: [{ role: "user", parts: [{ text: "Go." }] }],
  },
  "gemini-interactions": { system_instruction: "You write.", input: "Go." },
};
test("a conversation is known by its instructions and its first message", () => {
  for (const [name, body] of Object.entries(openings))
    expect(agentOf(name as keyof typeof wires).opening?.(body)).toEqual({
      system: "You write.",
      firstMessage: "Go.",
    });
});

test("a request that adds to a history of the provider has no first message", () => {
  const { opening } = agentOf("openai-responses");
  expect(opening?.({ input: "Go on.", previous_response_id: "resp_1" }).firstMessage).toBe("");
  const thread = { type: "continue", previous_message_id: "msg_1" };
  const messages = [{ role: "user", content: "Go on." }];
  expect(agentOf("anthropic").opening?.({ messages, thread }).firstMessage).toBe("");
});
