import { Readable } from "node:stream";
import { type Adapter, createGate, readTurn } from "@fullstop/core";
import type { EventBatches } from "@fullstop/core/adapter";
import { jsonSchema, run, tool } from "@fullstop/loop";
import { contentTypeOf, slicesOf } from "./body.ts";
import {
  callsOf,
  type Event,
  otherIds,
  restated,
  textOf,
  unnumbered,
  withGaps,
  withoutIds,
} from "./hostile.ts";
import { stretch } from "./stretch.ts";
import { apiKey, type BenchWire } from "./wire.ts";
import type { WireName } from "./wires/index.ts";
import { inputReply } from "./workloads.ts";

/** Work that the bench measures at its full size and at half of it. */
export interface GrowingWorkload {
  readonly name: string;
  /** For the help. */
  readonly about: string;
  readonly size: number;
  /** Prepares the work. Returns `undefined` if the protocol cannot express such a reply. */
  make(wire: WireName, bench: BenchWire, size: number): Work | undefined;
}
export type Work = () => Promise<void> | void;

/** Pieces of 16 bytes, of an input if the protocol sends inputs in pieces, or else of a text. */
function framesOf({ wire }: BenchWire, count: number): readonly string[] {
  const reply = inputReply(16 * count);
  const frames = stretch(wire, reply);
  return frames.length >= count ? frames : stretch(wire, { ...reply, kind: "text" });
}

/** The adapter reads a response of these bytes, without a network. */
function bytesWork(bench: BenchWire, count: number): Work {
  const slices = slicesOf(bench.wire, framesOf(bench, count));
  const headers = { "content-type": contentTypeOf(bench.wire) };
  const fetch = async (): Promise<Response> =>
    new Response(Readable.toWeb(Readable.from(slices)) as ReadableStream<Uint8Array<ArrayBuffer>>, {
      headers,
    });
  const adapter = bench.adapter({ baseURL: "http://127.0.0.1", apiKey, fetch });
  const messages = [{ role: "user", content: "Write the file." }] as const;
  return async () => {
    const { stopReason } = await readTurn(adapter, { messages, maxTokens: 4096 });
    if (stopReason !== "tool-use" && stopReason !== "stop")
      throw new Error(`${bench.wire.name}: the reply was not read to its end: ${stopReason}`);
  };
}

const adapterOf = (bench: BenchWire): Adapter =>
  bench.adapter({ baseURL: "http://127.0.0.1", apiKey });

/** The decoder and the gate, without a request and without JSON. */
function gateWork(bench: BenchWire, events: readonly Event[]): Work {
  const adapter = adapterOf(bench);
  return () => {
    const gate = createGate(adapter, { maxTokens: 4096 });
    for (const event of events) gate.push(event);
    const { state } = gate;
    const turn = gate.end();
    if (state !== "void") return;
    const why = "error" in turn ? turn.error.message : turn.stopReason;
    throw new Error(
      `${bench.wire.name}: the gate rejected the reply before its end, so nothing was measured: ${why}`,
    );
  };
}

const countTool = tool({
  name: "write",
  description: "Writes a number.",
  inputSchema: jsonSchema({
    type: "object",
    properties: { n: { type: "number" } },
    required: ["n"],
  }),
  execute: ({ n }: { readonly n?: number }) => `wrote ${n}`,
});

/**
 * A run whose adapter sends no request and gets these replies. A request contains the whole
 * history, so it would cost more in each turn.
 */
function runWork(bench: BenchWire, replies: readonly (readonly Event[])[]): Work {
  const base = adapterOf(bench);
  const turns = replies.length;
  return async () => {
    let asked = 0;
    const open: Adapter["open"] = async () => {
      const events = replies[asked++] ?? [];
      return (async function* () {
        yield events;
      })() as EventBatches<unknown>;
    };
    const { status, turns: done } = await run({
      adapter: { ...base, open },
      tools: [countTool],
      prompt: "Count.",
      request: { maxTokens: 4096 },
      limits: { turns: turns },
    }).outcome();
    if (status !== "done" || done !== turns)
      throw new Error(
        `${bench.wire.name}: a run of ${turns} turns ended as "${status}" after ${done}`,
      );
  };
}

/** Each turn is a call and its result. */
const turns = (bench: BenchWire, count: number): Work =>
  runWork(bench, [
    ...Array.from({ length: count - 1 }, (_, from) => callsOf(bench, 1, { from })),
    textOf(bench),
  ]);

const replyWork =
  (
    events: (wire: WireName, bench: BenchWire, size: number) => readonly Event[] | undefined,
  ): GrowingWorkload["make"] =>
  (wire, bench, size) => {
    const said = events(wire, bench, size);
    return said && gateWork(bench, said);
  };

const growingDefinitions: Readonly<Record<string, Omit<GrowingWorkload, "name">>> = {
  calls: {
    about: "25,000 calls in one reply",
    size: 25_000,
    make: replyWork((_, bench, size) => callsOf(bench, size)),
  },
  "one-id": {
    about: "8,000 calls in one reply, all with one id",
    size: 8000,
    make: replyWork((_, bench, size) => callsOf(bench, size, { sameId: true })),
  },
  "no-ids": {
    about: "8,000 calls in one reply, none with an id",
    size: 8000,
    make: replyWork((_, bench, size) => withoutIds(callsOf(bench, size))),
  },
  gaps: {
    about: "8,000 calls in one reply, with an empty delta between each two",
    size: 8000,
    make: replyWork(withGaps),
  },
  "other-ids": {
    about: "4,000 calls in one reply, which its end lists under other ids, after as many others",
    size: 4000,
    make: replyWork(otherIds),
  },
  repeated: {
    about: "one call, sent 8,000 times in one reply",
    size: 8000,
    make: replyWork((_, bench, size) => callsOf(bench, size, { sameId: true, sameInput: true })),
  },
  restated: {
    about: "one tool input in 8,000 pieces, each with the name",
    size: 8000,
    make: replyWork(restated),
  },
  unnumbered: {
    about: "the same, without an index and without an id",
    size: 8000,
    make: replyWork(unnumbered),
  },
  answered: {
    about: "8,000 calls in one reply, with their results",
    size: 8000,
    make: (_, bench, size) => runWork(bench, [callsOf(bench, size), textOf(bench)]),
  },
  bytes: {
    about: "1 MiB in 65,536 events, from the bytes to the turn",
    size: 65_536,
    make: (_, bench, size) => bytesWork(bench, size),
  },
  run: {
    about: "a run of 2,000 turns, without its requests",
    size: 2000,
    make: (_, bench, size) => turns(bench, size),
  },
};
export const growingWorkloads: readonly GrowingWorkload[] = Object.entries(growingDefinitions).map(
  ([name, one]) => ({
    name,
    ...one,
  }),
);

/** The bench measures each also at half its size. */
export const growingDescriptions: Readonly<Record<string, string>> = Object.fromEntries(
  growingWorkloads.map(({ name, about }) => [name, about]),
);
