import { type GuardReport, guard } from "@fullstop/guard";
import { describe, expect, test } from "vitest";
import { choicesChunk, done, opening } from "./chat.ts";
import { messageEnd, messageStart, textBlock } from "./messages.ts";
import { readAll } from "./server.ts";

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly action: string | undefined;
  readonly unguarded: number;
}

async function ask(path: string, reply: string, strict: boolean): Promise<Answer> {
  const reports: GuardReport[] = [];
  let unguarded = 0;
  const type = reply.startsWith("{") ? "application/json" : "text/event-stream";
  const fetch = guard(async () => new Response(reply, { headers: { "content-type": type } }), {
    strict,
    onReply: (report) => void reports.push(report),
    onUnguarded: () => void unguarded++,
  });
  const body = JSON.stringify({ max_tokens: 1024, stream: true, messages: [], tools: [] });
  const answered = await fetch(`http://host.example${path}`, { method: "POST", body });
  const { text } = await readAll(answered);
  return { status: answered.status, text, action: reports[0]?.action, unguarded };
}

const toolUse = { type: "tool_use", id: "t", name: "read", input: { path: "a" } };
const inContent = choicesChunk({ index: 0, delta: { content: [toolUse] }, finish_reason: null });
const endOf = (reason: string): string =>
  choicesChunk({ index: 0, delta: {}, finish_reason: reason });
const whole = (message: object, finish_reason: string): string =>
  JSON.stringify({ id: "c", choices: [{ index: 0, message, finish_reason }] });
const event = (native: { readonly type: string } & object): string =>
  `event: ${native.type}\ndata: ${JSON.stringify(native)}\n\n`;
const piece = event({
  type: "content_block_delta",
  index: 0,
  delta: { type: "input_json_delta", partial_json: '{"path":"a"}' },
} as never);
const block = (type: string): string =>
  event({
    type: "content_block_start",
    index: 0,
    content_block: { type, id: "t", name: "computer", input: {} },
  } as never) +
  piece +
  event({ type: "content_block_stop", index: 0 } as never);
const withPiece = textBlock(0, "Hi.").replace(/(?=event: content_block_stop)/, piece);

const chat = "/v1/chat/completions";
const messages = "/v1/messages";
describe("calls in a form that only some clients read, of a reply that is not finished", () => {
  test.each([
    ["a part of `content`", chat, opening + inContent + endOf("length") + done],
    ["a part of `content`, cut", chat, opening + inContent],
    [
      "a part of `content_list`",
      chat,
      whole({ content: "Hi.", content_list: [{ type: "tool_use", tool_use: toolUse }] }, "stop"),
    ],
    [
      "an input in a block of text",
      messages,
      messageStart + withPiece + messageEnd("max_tokens", 1024),
    ],
    [
      "an unknown block",
      messages,
      messageStart + block("computer_tool_use") + messageEnd("max_tokens", 1024),
    ],
  ])("%s is reported, and withheld under `strict`", async (_, path, reply) => {
    const strict = await ask(path, reply, true);
    expect(strict.action).toBe("failed");
    expect(strict.text).not.toMatch(/"path|\\"path/);
    const lax = await ask(path, reply, false);
    if (lax.action === "passed") expect([lax.text, lax.unguarded]).toEqual([reply, 1]);
    else expect([lax.action, lax.text.includes("path")]).toEqual(["failed", false]);
  });

  test.each([
    ["an unknown block", messageStart + block("computer_tool_use") + messageEnd("end_turn")],
    [
      "a tool of the provider",
      messageStart + block("server_tool_use") + messageEnd("max_tokens", 1024),
    ],
  ])("%s passes if the reply is finished, or if the provider runs it", async (_, reply) => {
    for (const strict of [true, false]) {
      const answer = await ask(messages, reply, strict);
      expect([answer.action, answer.text, answer.unguarded]).toEqual(["passed", reply, 0]);
    }
  });
});
