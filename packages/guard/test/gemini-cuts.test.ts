import { geminiWire } from "@fullstop/conformance/wires/gemini";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ask, end, event, eventsOf, leaks, played, type Shape, shapes } from "./gemini.ts";
import { type PlayedReply, startServer, type TestServer } from "./server.ts";

let server: TestServer;
const replies = new Map<string, PlayedReply>();
beforeAll(async () => {
  server = await startServer(({ body }) => {
    const { contents, request } = JSON.parse(body);
    const cut = (contents ?? request.contents)[0].parts[0].text;
    return replies.get(cut) ?? { chunks: [] };
  });
});
afterAll(() => server.close());

/** Several requests run at once, so each says which cut it asks for. */
const askCut = (shape: Shape, id: string, reply: PlayedReply): ReturnType<typeof ask> => {
  replies.set(id, reply);
  const contents = [{ role: "user", parts: [{ text: id }] }];
  return ask(server, shape, {}, { contents, tools: [{}] });
};

const said = event([{ text: "Ich läse." }]);
const call = event([
  { functionCall: { id: "c1", name: "read", args: { path: "/a" } }, thoughtSignature: "c2ln" },
]);
const streamed = (geminiWire.fixtures ?? []).filter(
  ({ name }) => name === "Streamed arguments of two calls, one after the other",
);
const streams: Readonly<Record<string, readonly string[]>> = {
  "text, a call": [said, call, end("STOP")],
  "a call in the last event": [
    said,
    event([{ text: "B" }], {}),
    call.replace('"index":0', '"finishReason":"STOP","index":0'),
  ],
  "streamed arguments": streamed.flatMap(eventsOf),
};
const ways = ["events", "list", "assist"] as const;

/** Cuts `bytes` at each place, with a clean end or a reset, and returns what got through. */
async function cutEverywhere(
  shape: Shape,
  text: string,
  fault: "reset" | undefined,
): Promise<readonly { readonly at: number; readonly result: Awaited<ReturnType<typeof ask>> }[]> {
  const bytes = Buffer.from(text);
  const results: { at: number; result: Awaited<ReturnType<typeof ask>> }[] = [];
  const batch = 64;
  for (let from = 0; from < bytes.length; from += batch)
    results.push(
      ...(await Promise.all(
        Array.from({ length: Math.min(batch, bytes.length - from) }, async (_, offset) => {
          const at = from + offset;
          const chunks = [bytes.subarray(0, at)];
          const reply = { ...shape, chunks, ...(fault && { fault }) };
          return { at, result: await askCut(shape, `${fault} ${at}`, reply) };
        }),
      )),
    );
  return results;
}

type Cut = Awaited<ReturnType<typeof cutEverywhere>>[number];

/** A broken reply says nothing of its calls, and the client finds one error. */
function expectError({ at, result: { text, status, isBroken } }: Cut): void {
  const where = `cut at ${at}: ${text}`;
  expect(leaks(text), where).toBe(false);
  expect(isBroken, where).toBe(false);
  if (status === 200) expect(errorsIn(text), where).toHaveLength(1);
  else expect([502, 400], where).toContain(status);
}

describe.each(ways)("Replies as %s, cut at every byte", (way) => {
  const shape = shapes[way];
  test.each(Object.entries(streams))("%s: no part of a call gets out", async (_, events) => {
    const text = shape.render(events);
    expect(leaks(text)).toBe(true);
    // A body is whole with its last byte. The last event is whole without its blank line.
    const wholeAt = Buffer.byteLength(way === "list" ? text : text.trimEnd());
    const clean = await cutEverywhere(shape, text, undefined);
    for (const cut of clean.filter(({ at }) => at < wholeAt)) expectError(cut);
    for (const { at, result } of clean.filter((cut) => cut.at >= wholeAt))
      expect(result.text, `cut at ${at}`).toBe(Buffer.from(text).subarray(0, at).toString());
    for (const cut of await cutEverywhere(shape, text, "reset")) expectError(cut);
  });
});

/** The errors that a client finds, which looks for whole events. */
const errorsIn = (text: string): readonly unknown[] =>
  text
    .split(/\r?\n\r?\n/)
    .filter((one) => one.startsWith('data: {"error":'))
    .map((one) => JSON.parse(one.slice(6)));

test("Data that cannot be read is held, also behind text", async () => {
  const broken = `${shapes.events.render([said])}data: {"broken\n\n${shapes.events.render([call])}`;
  const { text } = await askCut(shapes.events, "broken", { chunks: [broken] });
  expect(text.startsWith(shapes.events.render([said]))).toBe(true);
  expect(leaks(text)).toBe(false);
  expect(errorsIn(text)).toHaveLength(1);
});

test("Comments behind text go out at once", async () => {
  const stream = `${shapes.events.render([said])}: alive\n\n${shapes.events.render([end("STOP")])}`;
  const { text } = await askCut(shapes.events, "comment", { chunks: [stream] });
  expect(text).toBe(stream);
  expect(played(shapes.events, [said]).chunks).toHaveLength(1);
});
