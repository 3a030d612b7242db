import { guard } from "@fullstop/guard";
import OpenAI from "openai";
import { afterEach, describe, expect, test } from "vitest";
import { callBlock, messageEnd, messageStart, messagesRequest } from "./messages.ts";
import { type PlayedReply, startServer, type TestServer } from "./server.ts";

let server: TestServer;
afterEach(() => server.close());
const serve = async (...replies: readonly PlayedReply[]): Promise<void> => {
  server = await startServer((_, index) => replies[index] ?? { chunks: [] });
};

const event = (native: Readonly<Record<string, unknown>>): string =>
  `event: ${String(native["type"])}\ndata: ${JSON.stringify(native)}\n\n`;
const response = { id: "resp_1", object: "response", status: "in_progress", output: [] };
const created = event({ type: "response.created", response });
const broken: PlayedReply = { chunks: [created], fault: "reset" };

describe("a request that the provider may keep already is sent once", () => {
  test.each([
    ["in a conversation", { conversation: "conv_1" }],
    ["in the background", { background: true }],
  ])("%s, by the guard and by OpenAI's SDK", async (_, kept) => {
    await serve(broken, broken, broken, broken);
    const fetch = guard(globalThis.fetch, { retries: 1 });
    const client = new OpenAI({ apiKey: "k", baseURL: `${server.url}/v1`, fetch });
    const asked = client.responses.create({
      model: "gpt-5.5",
      input: "Go.",
      stream: true,
      ...kept,
    });
    await expect(asked).rejects.toMatchObject({ status: 400 });
    expect(server.requests).toHaveLength(1);
  });
  test("but is sent again after an error of the provider", async () => {
    const failed = {
      type: "response.failed",
      response: { ...response, status: "failed", error: { code: "server_error", message: "Oh." } },
    };
    const item = { type: "function_call", id: "fc_1", call_id: "c", name: "f", arguments: "" };
    const added = { type: "response.output_item.added", output_index: 0, item };
    await serve({ chunks: [created + event(added) + event(failed)] }, broken);
    const fetch = guard(globalThis.fetch);
    const asked = await fetch(`${server.url}/v1/responses`, {
      method: "POST",
      body: JSON.stringify({ model: "gpt-5.5", input: "Go.", conversation: "c", stream: true }),
    });
    expect([asked.status, asked.headers.get("x-should-retry")]).toEqual([502, "true"]);
  });
});

describe("`retries`", () => {
  const finished = messageStart + callBlock(0, "toolu_1", "{}") + messageEnd("tool_use");
  test.each([
    ["overloaded_error", 529],
    ["rate_limit_error", 429],
  ])("leave %s to the client, which knows how long to wait", async (type, status) => {
    const error = { type: "error", error: { type, message: "Later." } };
    const begun = messageStart + callBlock(0, "toolu_1", "{");
    await serve({ chunks: [begun + event(error)] }, { chunks: [finished] });
    const reply = await guard(fetch, { retries: 3 })(`${server.url}/v1/messages`, {
      method: "POST",
      body: JSON.stringify(messagesRequest),
    });
    expect([reply.status, reply.headers.get("x-should-retry")]).toEqual([status, "true"]);
    expect(server.requests).toHaveLength(1);
  });
});

test("a request that is sent once more keeps the digits of its numbers", async () => {
  const replies = [
    messageStart + callBlock(0, "toolu_1", '{"path":"a') + messageEnd("max_tokens", 1024),
    messageStart + callBlock(0, "toolu_2", '{"path":"a"}') + messageEnd("tool_use"),
  ];
  const asked: string[] = [];
  server = await startServer(({ body }, index) => {
    asked.push(body);
    return { chunks: [replies[index] ?? ""] };
  });
  const history = [
    { role: "user", content: "Write it." },
    { role: "assistant", content: [{ type: "tool_use", id: "t", name: "find", input: "INPUT" }] },
    { role: "user", content: [{ type: "tool_result", tool_use_id: "t", content: "Found." }] },
  ];
  const big = '{"id":12345678901234567890}';
  const body = JSON.stringify({ ...messagesRequest, messages: history }).replace('"INPUT"', big);
  await guard(fetch, { reask: true })(`${server.url}/v1/messages`, {
    method: "POST",
    body,
  });
  expect(asked).toEqual([body, expect.stringContaining(big)]);
});
