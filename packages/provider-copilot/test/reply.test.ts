import { createGate, type ReplyReader, type Turn } from "@fullstop/core";
import { copilotReply } from "@fullstop/provider-copilot/reply";
import { describe, expect, test, vi } from "vitest";

vi.mock("openai", () => {
  throw new Error("The SDK of OpenAI was loaded.");
});
vi.mock("@anthropic-ai/sdk", () => {
  throw new Error("The SDK of Anthropic was loaded.");
});

const settle = (reader: ReplyReader, events: readonly unknown[]): Turn => {
  const gate = createGate(reader, { maxTokens: 1000 });
  for (const event of events) gate.push(event);
  return gate.end();
};
const call = { index: 0, id: "a", function: { name: "read", arguments: "{}" } };
const chat = [
  { choices: [{ index: 0, delta: { tool_calls: [call] }, finish_reason: "tool_calls" }] },
  "[DONE]",
];
const item = { type: "function_call", id: "i", call_id: "a", name: "read", arguments: "{}" };
const responses = [
  { type: "response.output_item.done", output_index: 0, item: { ...item, status: "completed" } },
  {
    type: "response.completed",
    response: { id: "r", status: "completed", output: [{ ...item, status: "completed" }] },
  },
];
const messages = [
  {
    type: "message",
    id: "m",
    model: "claude",
    content: [{ type: "tool_use", id: "a", name: "read", input: {} }],
    stop_reason: "tool_use",
    usage: { input_tokens: 1, output_tokens: 1 },
  },
];

describe("the reader of each surface gives a gate the calls of a complete reply, without an SDK", () => {
  test.for([
    ["gpt-4.1", "openai-chat", chat],
    ["gpt-5.5", "openai-responses", responses],
    ["claude-sonnet-5", "anthropic-messages", messages],
  ] as const)("%s", ([model, protocol, events]) => {
    const turn = settle(copilotReply(model), events);
    expect(turn.calls.map(({ name }) => name)).toEqual(["read"]);
    expect(turn.message?.from).toEqual({ provider: "copilot", protocol, model });
  });
});

test("the options choose the surface, and add stop reasons", () => {
  const events = [{ choices: [{ index: 0, delta: { content: "Hi." }, finish_reason: "busy" }] }];
  const reader = copilotReply("gpt-5.5", { surface: "chat", stops: { busy: "refusal" } });
  expect(settle(reader, [...events, "[DONE]"]).stopReason).toBe("refusal");
});

test("the adapter reads its replies with the reader", async () => {
  vi.doUnmock("openai");
  vi.doUnmock("@anthropic-ai/sdk");
  const { copilot } = await import("@fullstop/provider-copilot");
  const token = async () => ({ token: "key" });
  for (const model of ["gpt-4.1", "gpt-5.5", "claude-sonnet-5"]) {
    const options = { stops: { busy: "error" }, mislabelsTruncation: true } as const;
    const { decoder: _, ...reader } = copilotReply(model, options);
    const adapter = copilot(model, { token, ...options });
    expect(adapter).toMatchObject(reader);
    expect(adapter.errors).toEqual(reader.errors);
  }
});
