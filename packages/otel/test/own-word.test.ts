import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { anthropic } from "@fullstop/provider-anthropic";
import { expect, onTestFinished, test } from "vitest";
import { toolNamed, traced } from "./agents.ts";

const events = (stopReason: string, input: string): readonly object[] => [
  {
    type: "message_start",
    message: {
      id: "msg_1",
      type: "message",
      role: "assistant",
      model: "claude-sonnet-5-5",
      content: [],
      usage: { input_tokens: 30, output_tokens: 1 },
    },
  },
  {
    type: "content_block_start",
    index: 0,
    content_block: { type: "tool_use", id: "toolu_1", name: "pay", input: {} },
  },
  {
    type: "content_block_delta",
    index: 0,
    delta: { type: "input_json_delta", partial_json: input },
  },
  { type: "content_block_stop", index: 0 },
  {
    type: "message_delta",
    delta: { stop_reason: stopReason, stop_sequence: null },
    usage: { output_tokens: 64 },
  },
  { type: "message_stop" },
];

/** Answers each request with the same events. */
async function serve(replies: readonly object[]): Promise<string> {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const event of replies)
      response.write(
        `event: ${(event as { type: string }).type}\ndata: ${JSON.stringify(event)}\n\n`,
      );
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test("a reply that a provider cut has the provider's own word, although its call looks whole", async () => {
  const baseURL = await serve(events("max_tokens", '{"cents":5}'));
  const { spansNamed, points, outcome } = await traced({
    adapter: anthropic("claude-sonnet-5-5", {
      baseURL,
      apiKey: "none",
      maxTokens: { default: 64 },
    }),
    tools: [toolNamed("pay")],
    recovery: { requests: 1, notes: 0 },
  });
  expect(outcome.status).toBe("truncated");
  const [chat] = spansNamed("chat claude-sonnet-5-5");
  expect(chat?.attributes).toMatchObject({
    "gen_ai.provider.name": "anthropic",
    "gen_ai.response.finish_reasons": ["max_tokens"],
    "fullstop.stop_reason": "length",
    "fullstop.withheld.reason": "stop-reason",
    "gen_ai.usage.output_tokens": 64,
  });
  expect(chat?.events.map(({ name }) => name)).toEqual(["fullstop.withheld_call"]);
  expect(points.find(({ name }) => name === "fullstop.withheld")).toMatchObject({
    attributes: { "gen_ai.provider.name": "anthropic", "fullstop.withheld.reason": "stop-reason" },
    sum: 1,
  });
});
