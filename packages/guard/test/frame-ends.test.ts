import { type Fetch, guard } from "@fullstop/guard";
import { expect, test } from "vitest";
import { callBlock, messageEnd, messageStart, messagesRequest, textBlock } from "./messages.ts";

/** What leaves the guard, and whether the connection broke behind it. */
async function pass(chunks: readonly string[]): Promise<{ text: string; isBroken: boolean }> {
  const provider: Fetch = async () =>
    new Response(
      new ReadableStream<Uint8Array<ArrayBuffer>>({
        start(controller) {
          for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk));
          controller.close();
        },
      }),
    );
  const response = await guard(provider)("http://provider.test/v1/messages", {
    method: "POST",
    body: JSON.stringify(messagesRequest),
  });
  let text = "";
  const decoder = new TextDecoder();
  try {
    for await (const bytes of response.body as ReadableStream<Uint8Array>)
      text += decoder.decode(bytes, { stream: true });
    return { text, isBroken: false };
  } catch {
    return { text, isBroken: true };
  }
}

/** The data of each frame. Throws for a frame that is not JSON. */
const eventsIn = (text: string): readonly { type: string; delta?: { stop_reason?: string } }[] =>
  text
    .split(/\r\n\r\n|\n\n/)
    .filter((frame) => frame !== "")
    .map((frame) => JSON.parse(/^data: (.*)$/m.exec(frame)?.[1] ?? ""));

const start = messageStart + textBlock(0, "Hello");

test.each([
  ["before the blank line of an event", start.trimEnd()],
  ["within the blank line of an event", start.slice(0, -1)],
  ["in the middle of an event", `${start}event: content_block_start\ndata: {"type":"con`],
  ["between the name and the data of an event", `${start}event: content_block_start\n`],
  ["within a blank line of CRLF", `${start.replaceAll("\n", "\r\n").slice(0, -1)}`],
])("a reply that breaks off %s ends as an error that can be read", async (_, cut) => {
  const { text, isBroken } = await pass([cut]);
  expect(isBroken).toBe(true);
  expect(eventsIn(text).map(({ type }) => type)).toEqual([
    "message_start",
    "content_block_start",
    "content_block_delta",
    "content_block_stop",
    "error",
  ]);
});

test("a line end that is split between two chunks is not lost with a call", async () => {
  const call = callBlock(1, "toolu_1", '{"path":"a');
  const reply = (start + call + messageEnd("max_tokens", 1024)).replaceAll("\n", "\r\n");
  const { text } = await pass([...reply]);
  const textEvents = ["content_block_start", "content_block_delta", "content_block_stop"];
  expect(eventsIn(text).map(({ type }) => type)).toEqual([
    "message_start",
    ...textEvents,
    ...textEvents,
    "message_delta",
    "message_stop",
  ]);
});

test("withheld calls of a reply that was cut behind its stop reason leave a complete reply", async () => {
  const reply = start + callBlock(1, "toolu_1", '{"path":"a') + messageEnd("max_tokens", 1024);
  const { text } = await pass([reply.slice(0, reply.indexOf("event: message_stop") + 25)]);
  expect(
    eventsIn(text)
      .slice(-2)
      .map(({ type }) => type),
  ).toEqual(["message_delta", "message_stop"]);
});

test("a second stop reason of a finished reply does not outlive withheld calls", async () => {
  const [delta = ""] = messageEnd("max_tokens", 1024).split("event: message_stop");
  const { text } = await pass([
    start + callBlock(1, "toolu_1", '{"path":"a') + delta + messageEnd("tool_use", 1024),
  ]);
  const stops = eventsIn(text).flatMap(({ delta: change }) => change?.stop_reason ?? []);
  expect(stops).toEqual(["max_tokens", "max_tokens"]);
});
