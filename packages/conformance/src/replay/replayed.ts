import type { Turn, Usage } from "@fullstop/core";
import { chunks, render } from "../harness/bytes.ts";
import { outline } from "../harness/expect.ts";
import { createHarness, type Harness } from "../harness/harness.ts";
import type { Host } from "../harness/host.ts";
import type { AdapterSubject } from "../subject.ts";
import type { Frames, Sample } from "../wire.ts";
import { endings } from "./ending.ts";
import type { Recording } from "./recording.ts";
import { type RecordedTurn, recorded } from "./turn.ts";

/** A recording, and how the subject's adapter reads it. */
export interface Replayed {
  readonly recording: Recording;
  readonly turn: RecordedTurn;
  /** The cap that every request for it names. */
  readonly cap: number;
  /** Absent where the reply is one JSON body. */
  readonly stream?: Stream;
}
/** The events of a recording, up to its end and behind it. */
export interface Stream {
  readonly frames: Frames;
  /** An end that the wire knows; an error inside the reply is none, nor is the last byte of one that was cut. */
  readonly ended: boolean;
  /** The end says nothing but that it ends, so that saying it twice changes nothing. */
  readonly bare: boolean;
}

/** The harness, with another cap in its requests. */
export const capped = (harness: Harness, maxTokens: number): Harness => ({
  ...harness,
  ask: (answer, { request, ...options } = {}) =>
    harness.ask(answer, { request: { maxTokens, ...request }, ...options }),
});

/**
 * The cap that proves nothing: the usage is just below it. Which one was sent when the reply was recorded is not known,
 * and a cap that was reached is told by the reply's own word. The highest that the model takes, where there is no usage.
 */
function neutralCap({ adapter }: Harness, { output, towardCap = output }: Usage): number {
  const ceiling = adapter.maxTokens?.ceiling ?? Number.MAX_SAFE_INTEGER;
  return towardCap ? Math.min(Math.max(leastCap, towardCap + 1), ceiling) : ceiling;
}
/** OpenAI refuses a smaller one. */
const leastCap = 16;

/** Asks with a recording in pieces of at most so many bytes. */
export async function readIn(
  harness: Harness,
  { bytes, headers }: Recording,
  size: number = bytes.length,
): Promise<RecordedTurn> {
  const thoughts: string[] = [];
  const answer = { chunks: chunks(bytes, Math.max(1, size)), headers };
  const turn = await harness.ask(answer, {
    onPreview: (event) => event.type === "thinking" && thoughts.push(event.text),
  });
  return recorded(turn, thoughts.join(""));
}

const noUsage: Usage = { input: 0, output: 0 };

/** Reads each recording, with a cap that proves nothing of it. */
export async function readAll(
  subject: AdapterSubject,
  recordings: readonly Recording[],
  host: Host,
): Promise<readonly Replayed[]> {
  const uncapped = createHarness(subject, host, { exhaustive: false });
  const ends = endings(subject.wire);
  const all: Replayed[] = [];
  for (const recording of recordings) {
    const { usage } = await readIn(capped(uncapped, neutralCap(uncapped, noUsage)), recording);
    const cap = neutralCap(uncapped, usage);
    const harness = capped(uncapped, cap);
    const turn = await readIn(harness, recording);
    const { events } = recording;
    all.push({
      recording,
      turn,
      cap,
      ...(events && { stream: await split(harness, events, { turn, ends }) }),
    });
  }
  return all;
}

interface Known {
  readonly turn: RecordedTurn;
  readonly ends: (payload: string) => boolean;
}
/** Where no event is an end, all of them come before it. */
async function split(harness: Harness, events: readonly string[], known: Known): Promise<Stream> {
  const at = await endOf(harness, events, known);
  const upToTerminal = events.slice(0, at === undefined ? events.length : at + 1);
  const before = await harness.ask(render({ upToTerminal: upToTerminal.slice(0, -1) }).bytes);
  const bare = sizeOf(before) === sizeOf(known.turn);
  return {
    frames: { upToTerminal, after: events.slice(upToTerminal.length) },
    ended: at !== undefined,
    bare,
  };
}

const sizeOf = ({
  text,
  calls,
  withheld,
}: Pick<Turn, "text" | "calls" | "withheld"> | RecordedTurn): string =>
  JSON.stringify([text.length, calls.length + withheld.length]);

/** The event that ends a reply: of those that can, the first from which on each reads as the whole. Behind it may be another end, and what is no content. */
async function endOf(
  harness: Harness,
  events: readonly string[],
  { turn, ends }: Known,
): Promise<number | undefined> {
  const candidates = events.flatMap((payload, at) => (ends(payload) ? [at] : []));
  let found = candidates.at(-1);
  for (const at of candidates.slice(0, -1).reverse()) {
    const read = await harness.ask(render({ upToTerminal: events.slice(0, at + 1) }).bytes);
    if (outline(read) !== outline(turn)) break;
    found = at;
  }
  return found;
}

/** The recordings that stream, as samples of a wire. What the adapter itself reads of the whole is what the mutations are held against. */
export const samplesOf = (all: readonly Replayed[]): readonly Sample[] =>
  all.flatMap(({ recording: { file, expected }, turn, stream }) => {
    if (stream === undefined) return [];
    const { replays, omits } = expected ?? {};
    return [
      {
        name: file,
        frames: stream.frames,
        turn,
        ...(replays && { replays }),
        ...(omits && { omits }),
      },
    ];
  });
