import { guard } from "@fullstop/guard";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { callBlock, messageEnd, messageStart, messagesRequest } from "./messages.ts";
import { type PlayedReply, startServer, type TestServer } from "./server.ts";

/** `JSON.parse` reads any depth, and `JSON.stringify` only some thousand levels. */
const depth = 20_000;
const deep = `{"path":"a","more":${"[".repeat(depth)}${"]".repeat(depth)}}`;

let server: TestServer;
let reply: PlayedReply = { chunks: [] };
beforeAll(async () => {
  server = await startServer(() => reply);
});
afterAll(() => server.close());

async function ask(
  path: string,
  request: object,
  chunk: string,
): Promise<{ readonly status: number; readonly text: string }> {
  const isStream = !chunk.startsWith("{");
  reply = {
    chunks: [chunk],
    ...(!isStream && { headers: { "content-type": "application/json" } }),
  };
  const response = await guard()(`${server.url}${path}`, {
    method: "POST",
    body: JSON.stringify(request),
  });
  return { status: response.status, text: await response.text() };
}

const messageBody = (stop: string): string =>
  JSON.stringify({
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "claude-sonnet-5-5",
    content: [{ type: "tool_use", id: "toolu_1", name: "write_file", input: "INPUT" }],
    stop_reason: stop,
    stop_sequence: null,
    usage: { input_tokens: 1, output_tokens: 9 },
  }).replace('"INPUT"', deep);
const messageStream = (stop: string): string =>
  messageStart +
  callBlock(0, "toolu_1").replace('"input":{}', `"input":${deep}`) +
  messageEnd(stop, 9);
const geminiStream = (stop: string): string =>
  `data: ${JSON.stringify({
    candidates: [
      {
        content: {
          parts: [{ functionCall: { name: "write_file", args: "INPUT" } }],
          role: "model",
        },
        finishReason: stop,
        index: 0,
      },
    ],
    usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 9 },
  }).replace('"INPUT"', deep)}\n\n`;
const interaction = (status: string): string =>
  JSON.stringify({
    id: "v1_1",
    object: "interaction",
    status,
    model: "gemini-3.8-flash",
    steps: [{ type: "function_call", id: "c1", name: "write_file", arguments: "INPUT" }],
    usage: { total_input_tokens: 1, total_output_tokens: 9 },
  }).replace('"INPUT"', deep);

const gemini = "/v1beta/models/gemini-3.8-flash:streamGenerateContent?alt=sse";
const contents = [{ role: "user", parts: [{ text: "Go." }] }];
const asked = { model: "gemini-3.8-flash", input: "Go.", store: false };
interface Shape {
  readonly path: string;
  readonly request: object;
  readonly replyWith: (stop: string) => string;
  readonly finished: string;
  readonly cut: string;
}
const messages = { path: "/v1/messages", request: messagesRequest };
const messageStops = { finished: "tool_use", cut: "max_tokens" };
const shapes: Readonly<Record<string, Shape>> = {
  Messages: { ...messages, ...messageStops, replyWith: messageBody },
  "streamed Messages": { ...messages, ...messageStops, replyWith: messageStream },
  Gemini: {
    path: gemini,
    request: { contents },
    replyWith: geminiStream,
    finished: "STOP",
    cut: "MAX_TOKENS",
  },
  Interactions: {
    path: "/v1beta/interactions",
    request: asked,
    replyWith: interaction,
    finished: "requires_action",
    cut: "incomplete",
  },
};
describe.each(Object.entries(shapes))("a very deep input of %s", (_, shape) => {
  const { path, request, replyWith, finished, cut } = shape;
  test("leaves byte for byte", async () => {
    const sent = replyWith(finished);
    const { status, text } = await ask(path, request, sent);
    expect(status).toBe(200);
    expect(text === sent).toBe(true);
  });
  test("is withheld if the reply was cut", async () => {
    const { status, text } = await ask(path, request, replyWith(cut));
    expect(status).toBe(200);
    expect(text).toContain("write_file, and nothing of it ran");
    expect(text).not.toContain("[[[");
  });
});
