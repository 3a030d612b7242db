import { guard } from "@fullstop/guard";
import { describe, expect, test } from "vitest";
import { callBlock, messageEnd, messageStart } from "./messages.ts";

/** Each protocol finds its own members. */
const request = '{"stream":true,"max_tokens":100,"messages":[],"input":"Go.","contents":[]}';
const pass = async (path: string, text: string): Promise<string> => {
  const reply = await guard(async () => new Response(text))(`http://provider.test${path}`, {
    method: "POST",
    body: request,
  });
  return reply.text();
};
const streamOf = (...events: readonly object[]): string =>
  events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");

const count = (text: string, part: string): number => text.split(part).length - 1;

test("a message of Anthropic that ends before its stop reason leaves with one end", async () => {
  const stop = 'event: message_stop\ndata: {"type":"message_stop"}\n\n';
  const call = callBlock(0, "toolu_1", '{"path":"a"}');
  const text = await pass("/v1/messages", messageStart + call + stop + messageEnd("tool_use", 40));
  expect(count(text, '"tool_use","id"')).toBe(1);
  expect(count(text, '"message_stop"')).toBe(1);
  expect(text.endsWith(stop)).toBe(true);
});

describe("a reply that also says that it is finished does not say so without its calls", () => {
  test("Gemini", async () => {
    const call = { functionCall: { name: "read", args: { path: "a" } } };
    const chunk = (finishReason: string, ...parts: readonly object[]): object => ({
      candidates: [{ content: { parts, role: "model" }, finishReason, index: 0 }],
    });
    const text = await pass(
      "/v1beta/models/gemini-3.1-pro:streamGenerateContent?alt=sse",
      streamOf(chunk("MAX_TOKENS", call), chunk("STOP")),
    );
    expect(text).toContain("MAX_TOKENS");
    expect(text).not.toMatch(/STOP|functionCall/);
  });
  test("Responses", async () => {
    const item = { type: "function_call", id: "fc_1", call_id: "call_1", name: "read" };
    const output = [{ ...item, arguments: '{"path":"a"}', status: "completed" }];
    const response = { id: "resp_1", object: "response", model: "gpt-5.2", output };
    const cut = { status: "incomplete", incomplete_details: { reason: "max_output_tokens" } };
    const text = await pass(
      "/v1/responses",
      streamOf(
        { type: "response.created", response: { ...response, output: [], status: "in_progress" } },
        { type: "response.output_item.done", output_index: 0, item: output[0] },
        { type: "response.incomplete", response: { ...response, ...cut } },
        { type: "response.completed", response: { ...response, status: "completed" } },
      ),
    );
    expect(count(text, '"type":"response.incomplete"')).toBe(1);
    expect(text).not.toMatch(/response\.completed|function_call/);
  });
});
