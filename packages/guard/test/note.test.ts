import { type GuardOptions, guard } from "@fullstop/guard";
import { afterAll, describe, expect, test } from "vitest";
import { callDelta, chatRequest, chunk, opening, streamed } from "./chat.ts";
import { callBlock, messageEnd, messageStart, messagesRequest, textBlock } from "./messages.ts";
import { type PlayedReply, startServer } from "./server.ts";

let reply: PlayedReply;
const server = await startServer(() => reply);
afterAll(() => server.close());

async function ask(path: string, body: object, options: GuardOptions = {}): Promise<string> {
  const headers = { "content-type": "application/json" };
  const init = { method: "POST", headers, body: JSON.stringify(body) };
  return (await guard(fetch, options)(`${server.url}${path}`, init)).text();
}
/** All texts of the events of Anthropic, as a client joins them. */
const textIn = (events: string): string =>
  [...events.matchAll(/"text_delta","text":("(?:[^"\\]|\\.)*")/g)]
    .map(([, text = '""']) => JSON.parse(text) as string)
    .join("");

describe("the note", () => {
  const cut = (reason: string, ...inputs: readonly string[]): PlayedReply => ({
    chunks: [
      messageStart +
        textBlock(0, "Writing.") +
        inputs.map((input, index) => callBlock(index + 1, `toolu_${index}`, input)).join("") +
        messageEnd(reason, reason === "max_tokens" ? 1024 : 40),
    ],
  });
  const input = '{"path":"a.txt"}';
  test.each([
    ["max_tokens", [input], /held back write_file, and nothing of it ran, .* output limit: ask/],
    ["max_tokens", [input, input], /held back write_file, write_file, and nothing of them ran/],
    ["model_context_window_exceeded", [input], /no longer fits .*: shorten it/],
    ["refusal", [input], /declined to answer: ask in another way/],
    ["pause_turn", [input], /paused the reply: ask the model to continue/],
    ["stop_sequence", [input], /a stop sequence ended the reply: ask for it again/],
    ["tool_use", ['{"path":'], /cannot be used: ask for it again/],
    ["of_next_year", [input], /a reason that is not known: ask for it again/],
  ])("after %s is one sentence on a line of its own", async (reason, inputs, words) => {
    reply = cut(reason, ...inputs);
    const text = textIn(await ask("/v1/messages", messagesRequest));
    expect(text).toMatch(/^Writing\.\n\n\[The guard held back [^.`]*: [^.`]*\.\]$/);
    expect(text).toMatch(words);
  });
  test("names no option", async () => {
    reply = cut("tool_use", input);
    const { max_tokens: _, ...request } = messagesRequest;
    const host = (): object => ({ mislabelsTruncation: true });
    const text = textIn(await ask("/v1/messages", request, { host }));
    expect(text).toMatch(/\n\n\[[^.`]* may have been cut at the output limit: [^.`]*\.\]$/);
  });
});

test("an error about a reply without its end names no option", async () => {
  reply = streamed(opening, chunk(callDelta(0, "call_1", "/srv/a")), "data: [DONE]\n\n");
  const text = await ask("/v1/chat/completions", { ...chatRequest, stream: true });
  expect(JSON.parse(text).error.message).toBe(
    "Network error: The connection ended before the reply did. It ended before the provider said that it was complete. Held back read; nothing of it ran.",
  );
});
