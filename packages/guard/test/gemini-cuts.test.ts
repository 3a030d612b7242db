import { inProcess } from "@fullstop/conformance";
import { geminiWire } from "@fullstop/conformance/wires/gemini";
import { cutStep as step } from "@tooling/test/sample";
import { describe, expect, test } from "vitest";
import { ask, eventsOf, leaks, type Shape, shapes, type Upstream } from "./gemini.ts";
import { type Guarded, type PlayedReply, startServer } from "./server.ts";

const event = (part: object, rest: object = {}): string =>
  JSON.stringify({ candidates: [{ content: { parts: [part] }, ...rest }] });
const said = event({ text: "Ich läse." });
const call = { functionCall: { id: "c1", name: "read", args: { path: "/a" } } };
const short = [said, event(call), event({ text: "" }, { finishReason: "STOP" })];

const ofCorpus = (name: string): readonly string[] =>
  (geminiWire.fixtures ?? []).filter((one) => one.name === name).flatMap(eventsOf);
const streams: Readonly<Record<string, readonly string[]>> = {
  "a text, a call and an end": short,
  "a call in the last event": [said, event(call, { finishReason: "STOP" })],
  "streamed arguments": ofCorpus("Streamed arguments of two calls, one after the other"),
  "a call at the output cap": ofCorpus("Text and a complete call at the output cap"),
};
const ways = ["events", "list", "assist"] as const;

/** Before that, no one can say that the bytes are an event stream. */
const firstCut = 5;

interface Cut extends Guarded {
  readonly at: number;
  readonly sent: string;
}
interface HowToCut {
  readonly askCut: (reply: PlayedReply) => Promise<Guarded>;
  /** The number of bytes between two cuts. */
  readonly step: number;
}

/** Asks for the beginning of a text, up to each of its bytes. */
async function cutEverywhere(
  shape: Shape,
  text: string,
  fault: "reset" | undefined,
  { askCut, step }: HowToCut,
): Promise<readonly Cut[]> {
  const bytes = Buffer.from(text);
  const cuts: Cut[] = [];
  for (let at = firstCut; at < bytes.length; at += step) {
    const begin = new Uint8Array(bytes.subarray(0, at));
    const guarded = await askCut({ ...shape, chunks: [begin], ...(fault && { fault }) });
    cuts.push({ at, sent: Buffer.from(begin).toString(), ...guarded });
  }
  return cuts;
}

/** A broken reply says nothing of its calls, and its client finds one error. */
function expectError({ at, text, status, isBroken }: Cut): void {
  const where = `cut at ${at}: ${text}`;
  expect(leaks(text), where).toBe(false);
  expect(isBroken, where).toBe(false);
  if (status !== 200) expect([502, 400], where).toContain(status);
  // If the finish reason came, the reply was cut at the limit, and says so.
  else if (!text.includes('"finishReason":"MAX_TOKENS"'))
    expect(errorsIn(text), where).toHaveLength(1);
}
/** The errors that a client finds, which looks for whole events. */
const errorsIn = (text: string): readonly unknown[] =>
  text
    .split(/\r?\n\r?\n/)
    .map((one) => one.trimStart())
    .filter((one) => one.startsWith('data: {"error":'))
    .map((one) => JSON.parse(one.slice(6)));

async function expectNoLeak(
  shape: Shape,
  events: readonly string[],
  how: HowToCut,
): Promise<number> {
  const text = shape.render(events);
  expect(leaks(text)).toBe(true);
  const clean = await cutEverywhere(shape, text, undefined, how);
  const broken = await cutEverywhere(shape, text, "reset", how);
  // The last event is whole without its blank line. A list is whole with its last byte.
  const wholeAt = Buffer.byteLength(text.trimEnd());
  for (const cut of clean.filter(({ at }) => at < wholeAt)) expectError(cut);
  for (const cut of clean.filter(({ at }) => at >= wholeAt))
    expect(cut.status === 200 && /"error"/.test(cut.text), `cut at ${cut.at}`).toBe(false);
  for (const cut of broken) expectError(cut);
  return clean.length + broken.length;
}

const cases = ways.flatMap((way) =>
  Object.entries(streams)
    .filter(([, events]) => way === "events" || events[0] === said)
    .map(([name, events]) => [name, way, events] as const),
);

test.each(cases)(
  "%s as %s: wherever it is cut, no part of a call gets out",
  async (_, way, events) => {
    const host = inProcess();
    const { baseURL: url = "", fetch } = host.endpoint;
    const upstream: Upstream = { url, ...(fetch && { fetch }) };
    const cuts = await expectNoLeak(shapes[way], events, {
      step,
      askCut: ({ chunks, ...rest }) => {
        host.answer({ ...rest, chunks: chunks as Uint8Array<ArrayBuffer>[] });
        return ask(upstream, shapes[way]);
      },
    });
    expect(cuts).toBeGreaterThan(300 / step);
  },
);

test("The same over sockets, cut at every seventh byte", async () => {
  let reply: PlayedReply = { chunks: [] };
  const server = await startServer(() => reply);
  try {
    const askCut = (next: PlayedReply): Promise<Guarded> => {
      reply = next;
      return ask(server, shapes.events);
    };
    await expectNoLeak(shapes.events, short, { askCut, step: 7 });
  } finally {
    await server.close();
  }
});

describe("Behind a text", () => {
  const askFor = async (stream: string): Promise<Guarded> => {
    const server = await startServer(() => ({ chunks: [stream] }));
    try {
      return await ask(server, shapes.events);
    } finally {
      await server.close();
    }
  };
  test("data that cannot be read is held, with all that follows", async () => {
    const text = shapes.events.render([said]);
    const guarded = await askFor(`${text}data: {"broken\n\n${shapes.events.render([event(call)])}`);
    expect(guarded.text.startsWith(text)).toBe(true);
    expect(leaks(guarded.text)).toBe(false);
    expect(errorsIn(guarded.text)).toHaveLength(1);
  });
  test("comments and the end of other protocols go out", async () => {
    const stream = `${shapes.events.render([said])}: alive\n\n${shapes.events.render(short.slice(2))}data: [DONE]\n\n`;
    expect((await askFor(stream)).text).toBe(stream);
  });
});
