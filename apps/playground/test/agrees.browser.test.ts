import { createGate, explain, type ReplyReader, type Turn, toProviderError } from "@fullstop/core";
import { sse } from "@fullstop/core/adapter";
import { anthropicReply, parseAnthropic } from "@fullstop/provider-anthropic/reply";
import { googleReply, parseGoogle } from "@fullstop/provider-google/reply";
import {
  openaiChatReply,
  openaiReply,
  parseChat,
  parseResponses,
} from "@fullstop/provider-openai/reply";
import { startBrowser } from "@tooling/test/browser";
import { expect, test } from "vitest";
import { pageContent } from "../src/build/content.ts";
import { cutAt, openPlayground } from "./open-page.ts";

const browser = await startBrowser();
const content = pageContent();

/** Reads a reply as a program with the packages does: nothing of the playground. */
type Open = (response: Response) => Promise<AsyncIterable<readonly unknown[]>>;
const readers: Readonly<Record<string, readonly [reader: ReplyReader, open: Open]>> = {
  anthropic: [anthropicReply("m"), (response) => sse(response, { parse: parseAnthropic })],
  "openai-chat": [openaiChatReply("m"), (response) => sse(response, { parse: parseChat })],
  "openai-responses": [openaiReply("m"), (response) => sse(response, { parse: parseResponses })],
  gemini: [googleReply("m"), (response) => sse(response, { parse: parseGoogle })],
};

async function judge(folder: string, bytes: Uint8Array<ArrayBuffer>, cap: number): Promise<Turn> {
  const [reader, open] = readers[folder] ?? [];
  if (reader === undefined || open === undefined) throw new Error(`No reader for ${folder}.`);
  const { messages, tools } = content.request;
  const gate = createGate(reader, { messages, tools, maxTokens: cap });
  try {
    for await (const batch of await open(new Response(bytes))) batch.forEach(gate.push);
  } catch (thrown) {
    gate.fail(toProviderError(thrown, reader));
  }
  return gate.end();
}

const plain = (text: string): string => text.replaceAll(/\s+/g, " ").trim();

/** Of each protocol: several calls, and a reply that does not end well. */
const replies = [
  "anthropic/parallel-calls",
  "anthropic/cap-in-call",
  "openai-chat/parallel-calls",
  "openai-chat/second-reply-after-call",
  "openai-responses/cap-in-call",
  "openai-responses/response-contradicts-input",
  "gemini/parallel-calls-first-signed",
  "gemini/streamed-arguments-two-calls",
];

test.each(replies)("%s: at every hundredth byte the page agrees with createGate", async (id) => {
  const known = content.replies.find((reply) => reply.id === id);
  expect(known?.id).toBe(id);
  const { text = "", maxTokens: cap = 1024 } = known ?? {};
  const bytes = new TextEncoder().encode(text);
  const { page, problems } = await openPlayground(browser, { hash: `r=${id}` });
  const cuts = Array.from({ length: Math.ceil(bytes.length / 100) }, (_, index) => index * 100);
  for (const cut of [...cuts, bytes.length - 1, bytes.length]) {
    await cutAt(page, cut);
    const shown = await page.evaluate(() => ({
      verdict: document.querySelector(".verdict h2")?.textContent ?? "",
      calls: [...document.querySelectorAll(".loop.gate .run")].map((run) => run.textContent),
      failed: [...document.querySelectorAll(".rule.failed .rule-name")].map(
        (rule) => rule.textContent,
      ),
      stop: document.querySelector(".stop .fact:last-child code")?.textContent,
    }));
    const turn = await judge(id.split("/")[0] ?? "", bytes.subarray(0, cut), cap);
    expect({ cut, ...shown, verdict: plain(shown.verdict) }).toEqual({
      cut,
      verdict: plain(explain(turn).person),
      calls: turn.calls.map(({ name, input }) => `${name} ${JSON.stringify(input)}`),
      failed: turn.rules?.flatMap(({ rule, passed }) => (passed ? [] : [rule])),
      stop: turn.stopReason,
    });
  }
  expect(problems).toEqual([]);
});
