import { Chat } from "@ai-sdk/react";
import type { Fixture, Wire } from "@fullstop/conformance";
import { anthropicWire } from "@fullstop/conformance/wires/anthropic";
import { geminiWire } from "@fullstop/conformance/wires/gemini";
import { openaiChatWire } from "@fullstop/conformance/wires/openai-chat";
import { openaiResponsesWire } from "@fullstop/conformance/wires/openai-responses";
import type { Adapter, Turn } from "@fullstop/core";
import { jsonSchema, type RunEvent, run, type Tool, tool } from "@fullstop/loop";
import { anthropic } from "@fullstop/provider-anthropic";
import { google } from "@fullstop/provider-google";
import { openai, openaiChat } from "@fullstop/provider-openai";
import { uiResponse } from "@fullstop/ui";
import { isFull } from "@tooling/test/full";
import { sampled } from "@tooling/test/sample";
import { DefaultChatTransport, type UIMessage } from "ai";
import { expect, test } from "vitest";

type Fetch = typeof globalThis.fetch;
const key = "not-a-key";
const fixturesOf = (wire: Wire): readonly Fixture[] => sampled({ wire }).wire.fixtures ?? [];
/** Each protocol with its replies, and an adapter that reads them. */
const protocols: readonly [readonly Fixture[], (fetch: Fetch) => Adapter][] = [
  [fixturesOf(anthropicWire), (fetch) => anthropic("claude-haiku-4-5", { apiKey: key, fetch })],
  [fixturesOf(openaiResponsesWire), (fetch) => openai("gpt-5-mini", { apiKey: key, fetch })],
  [fixturesOf(openaiChatWire), (fetch) => openaiChat("gpt-5-mini", { apiKey: key, fetch })],
  [fixturesOf(geminiWire), (fetch) => google("gemini-3.1-pro", { apiKey: key, fetch })],
];

/** The reply of a fixture as a server sends it. */
function replyOf({ frames: { upToTerminal, after = [] } }: Fixture): Response {
  const events = [...upToTerminal, ...after].map((data) => `${eventLine(data)}data: ${data}\n\n`);
  return new Response(events.join(""), { headers: { "content-type": "text/event-stream" } });
}
function eventLine(data: string): string {
  const type = /^\{"type":"([\w.]+)"/.exec(data)?.[1];
  return type === undefined ? "" : `event: ${type}\n`;
}
const echo = (name: string): Tool =>
  tool({
    name,
    description: "A tool.",
    inputSchema: jsonSchema({ type: "object" }),
    execute: (input) => ({ got: input }),
  });

interface Shown {
  readonly chat: Chat<UIMessage>;
  /** The turns that count. */
  readonly turns: readonly Turn[];
  readonly discarded: number;
}

/** Runs these replies one after the other, and gives what the client of `useChat` has then. */
async function show(
  replies: readonly Fixture[],
  adapterOf: (fetch: Fetch) => Adapter,
  previews: boolean,
): Promise<Shown> {
  const queue = replies.map(replyOf);
  const adapter = adapterOf(async () => queue.shift() ?? new Response("", { status: 400 }));
  const names = replies.flatMap(({ turn: { calls } }) => calls.map(({ name }) => name));
  const events: RunEvent[] = [];
  const fetch: Fetch = () =>
    uiResponse(
      run({
        adapter,
        tools: [...new Set(names)].map(echo),
        prompt: "Go.",
        recovery: { requests: 2, notes: 1, maxWaitMs: 0 },
        limits: { turns: replies.length },
        onEvent: (event) => events.push(event),
      }),
      { previews },
    );
  const transport = new DefaultChatTransport<UIMessage>({ api: "http://ui.invalid", fetch });
  const chat = new Chat<UIMessage>({ transport });
  await chat.sendMessage({ text: "Go." });
  const turns = events.filter((event) => event.type === "turn");
  return {
    chat,
    turns: turns.filter(({ kept }) => kept).map(({ turn }) => turn),
    discarded: turns.filter(({ kept }) => !kept).length,
  };
}

/** What the page shows, apart from the reasoning. */
function contentOf({ lastMessage }: Chat<UIMessage>): unknown {
  const parts = lastMessage?.parts ?? [];
  const calls = parts.filter((part) => "toolCallId" in part);
  return {
    text: parts.map((part) => (part.type === "text" ? part.text : "")).join(""),
    calls: calls.filter(({ toolMetadata }) => toolMetadata === undefined).map(({ input }) => input),
    withheld: calls
      .filter(({ toolMetadata }) => toolMetadata !== undefined)
      .map(({ state, input }) => [state, input]),
  };
}
const expectedOf = (turns: readonly Turn[]): unknown => ({
  text: turns.map(({ text }) => text).join(""),
  calls: turns.flatMap(({ calls }) => calls.map(({ input }) => input)),
  withheld: turns.flatMap(({ withheld }) =>
    withheld.flatMap(({ name }) => (name === undefined ? [] : [["output-error", null]])),
  ),
});

/** With previews and without. In the sample one of the two, in turn. */
const waysOf = (index: number): readonly boolean[] => (isFull ? [true, false] : [index % 2 === 0]);

test("of each reply of the suite, and of the next one, the page shows exactly what counts", async () => {
  const count = { discarded: 0, withheld: 0, calls: 0 };
  for (const [fixtures, adapterOf] of protocols)
    for (const [index, fixture] of fixtures.entries()) {
      const replies = [fixture, fixtures[(index + 1) % fixtures.length] ?? fixture];
      for (const previews of waysOf(index)) {
        const { chat, turns, discarded } = await show(replies, adapterOf, previews);
        const message = `${fixture.name} (previews: ${previews})`;
        expect(contentOf(chat), message).toEqual(expectedOf(turns));
        count.discarded += discarded;
        count.withheld += turns.flatMap(({ withheld }) => withheld).length;
        count.calls += turns.flatMap(({ calls }) => calls).length;
      }
    }
  // Otherwise the replies would show nothing.
  for (const number of Object.values(count)) expect(number).toBeGreaterThan(isFull ? 100 : 15);
});
