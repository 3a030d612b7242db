import type { Message } from "@fullstop/core";
import { jsonSchema, run, type Tool } from "@fullstop/loop";
import { anthropic } from "@fullstop/provider-anthropic";
import { type Ask, askAll, laterRuns, ways } from "@tooling/test/prefix-cells";
import { type ContentBlock, type Conversation, refusalOf } from "@tooling/test/prefix-check";
import { startPrefixServer } from "@tooling/test/prefix-server";
import { describe, expect, test } from "vitest";

const text = (words: string): ContentBlock => ({ type: "text", text: words });

/** A conversation whose three replies begin with thinking, and the request that continues it. */
async function conversation(): Promise<Conversation> {
  const reply = (word: string) => ({
    stop: "end_turn",
    blocks: [{ thinking: word }, { text: word }],
  });
  await using server = await startPrefixServer(["A", "B", "C"].map(reply));
  let asked: Conversation = {
    system: "Be kind.",
    tools: [{ name: "write", input_schema: { type: "object" } }],
    messages: [{ role: "user", content: "Hello." }],
  };
  for (const next of ["More.", "Go on.", "And?"]) {
    const response = await fetch(server.url, { method: "POST", body: JSON.stringify(asked) });
    const { content } = (await response.json()) as { content: readonly ContentBlock[] };
    const messages = [...asked.messages, { role: "assistant", content }];
    asked = { ...asked, messages: [...messages, { role: "user", content: next }] };
  }
  return asked;
}

/** A conversation whose thinking is only in the replies of these numbers. */
const keepThinking = (asked: Conversation, ...replies: readonly number[]): Conversation => ({
  ...asked,
  messages: asked.messages.map((message, at) =>
    message.role === "user" || replies.includes((at - 1) / 2)
      ? message
      : { ...message, content: message.content.slice(1) as ContentBlock[] },
  ),
});
const withMessage = (asked: Conversation, at: number, content: ContentBlock[]): Conversation => ({
  ...asked,
  messages: asked.messages.with(at, { role: asked.messages[at]?.role ?? "", content }),
});
const mismatch = "The block is bound to a different conversation.";

describe("the check of the server", () => {
  test("accepts a conversation that only grew, with thinking left out from an end or everywhere", async () => {
    const asked = await conversation();
    const [first, ...rest] = asked.messages;
    for (const accepted of [
      asked,
      keepThinking(asked),
      keepThinking(asked, 1, 2),
      keepThinking(asked, 0, 1),
      keepThinking(asked, 1),
      {
        tools: [{ input_schema: { type: "object" }, name: "write" }],
        system: "Be kind.",
        messages: asked.messages,
      },
      {
        ...asked,
        messages: [
          { role: "user", content: [{ ...text("Hello."), cache_control: { type: "ephemeral" } }] },
          ...rest,
        ],
      },
    ])
      expect(refusalOf(accepted)).toBeUndefined();
    expect(first?.content).toBe("Hello.");
  });

  test("refuses each change before thinking, and a gap", async () => {
    const asked = await conversation();
    const changed: readonly Conversation[] = [
      { ...asked, system: "Be rude." },
      { ...asked, tools: [] },
      withMessage(asked, 0, [text("Hi.")]),
      withMessage(asked, 1, asked.messages[1]?.content.slice(0, 1) as ContentBlock[]),
      withMessage(asked, 2, [text("More."), text("Much more.")]),
      { ...asked, messages: asked.messages.toSpliced(2, 0, { role: "user", content: "Note." }) },
      { ...asked, messages: asked.messages.slice(2) },
      keepThinking(asked, 0, 2),
    ];
    for (const request of changed) expect(refusalOf(request)).toContain(mismatch);
    const signature = "made up";
    const forged = [{ type: "thinking", thinking: "A", signature }, text("A")];
    expect(refusalOf(withMessage(asked, 1, forged))).toMatch(/Invalid `signature`/);
    expect(refusalOf(withMessage(asked, 1, forged))).not.toContain(mismatch);
  });

  test("refuses thinking that was put back", async () => {
    const asked = await conversation();
    await using server = await startPrefixServer([
      { stop: "end_turn", blocks: [{ thinking: "D" }, { text: "D" }] },
    ]);
    const sent = keepThinking(asked, 0, 1);
    const response = await fetch(server.url, { method: "POST", body: JSON.stringify(sent) });
    const { content } = (await response.json()) as { content: readonly ContentBlock[] };
    const grown = (before: Conversation): Conversation => ({
      ...before,
      messages: [
        ...before.messages,
        { role: "assistant", content },
        { role: "user", content: "Well?" },
      ],
    });
    expect(refusalOf(grown(sent))).toBeUndefined();
    expect(refusalOf(grown(asked))).toContain(mismatch);
  });

  test("answers with the error of the API, before any output", async () => {
    const asked = await conversation();
    await using server = await startPrefixServer([]);
    const body = JSON.stringify({ ...asked, system: "Be rude.", stream: true });
    const response = await fetch(server.url, { method: "POST", body });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      type: "error",
      error: { type: "invalid_request_error", message: expect.stringContaining(mismatch) },
    });
  });
});

/** The loop: each question is a run, and continues the conversation of the last one. */
function createRuns(stream: boolean, isStored: boolean) {
  const ran: string[] = [];
  let messages: readonly Message[] = [];
  const write: Tool = {
    name: "write",
    description: "Write a file.",
    inputSchema: jsonSchema({ type: "object", properties: { path: { type: "string" } } }),
    execute: async ({ path }) => {
      ran.push(String(path));
      return "Written.";
    },
  };
  const ask: Ask = async (baseURL, prompt) => {
    const adapter = anthropic("claude-sonnet-5-5", { apiKey: "key", baseURL, stream });
    const outcome = await run({
      adapter,
      tools: [write],
      messages,
      prompt,
      recovery: { maxWaitMs: 1 },
    }).outcome();
    messages = isStored ? JSON.parse(JSON.stringify(outcome.messages)) : outcome.messages;
  };
  return { ran, ask };
}

test.each(ways)("the loop goes on behind a reply: $name", async ({ stream, cell }) => {
  for (const isStored of [false, true]) {
    const { ran, ask } = createRuns(stream, isStored);
    expect(await askAll(cell, ask)).toEqual([]);
    expect(ran).toEqual([...cell.runs, ...laterRuns]);
  }
});
