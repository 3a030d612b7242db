import type { Turn, Usage } from "@fullstop/core";
import { askRecorded } from "../fixtures/compare.ts";
import type { Recording } from "../fixtures/recordings.ts";
import type { RecordedTurn } from "../fixtures/turn.ts";
import { chunks, render } from "../harness/bytes.ts";
import { outline } from "../harness/check.ts";
import { createHarness, type Harness } from "../harness/harness.ts";
import type { Host } from "../harness/host.ts";
import { stringLeaves, tryParseJson } from "../harness/json.ts";
import type { AdapterSubject } from "../subject.ts";
import type { Fixture, Frames, Wire } from "../wire.ts";

/** The strings of events by their path. */
type Places = ReadonlyMap<string, ReadonlySet<string>>;

function stringsByPlace(events: readonly string[]): Places {
  const places = new Map<string, Set<string>>();
  for (const payload of events) {
    const value = tryParseJson(payload);
    const leaves = value === undefined ? [{ path: "", text: payload }] : stringLeaves(value, 0, "");
    for (const { path, text } of leaves)
      if (text !== "") places.set(path, (places.get(path) ?? new Set()).add(text));
  }
  return places;
}

/** A string that only a terminal has. Without `text`, any string at this path. */
interface Mark {
  readonly path: string;
  readonly text?: string;
}

/** The strings that the last event of a reply has, with text or without, and none before it. */
function marksOf(wire: Wire, stop: string): readonly Mark[] {
  const empty = wire.frames({ blocks: [], stop, output: 12 }).upToTerminal;
  const said = wire.frames({ blocks: [{ text: "All done." }], stop, output: 12 }).upToTerminal;
  const before = stringsByPlace([...empty.slice(0, -1), ...said.slice(0, -1)]);
  const last = stringsByPlace(said.slice(-1));
  return [...stringsByPlace(empty.slice(-1))].flatMap(([path, texts]): readonly Mark[] => {
    const used = before.get(path);
    if (!last.has(path)) return [];
    return used === undefined
      ? [{ path }]
      : [...texts].filter((text) => !used.has(text)).map((text) => ({ path, text }));
  });
}

/**
 * Whether an event ends a reply, derived from the replies that the wire makes. The adapter is not
 * used: an adapter that runs cut replies would find an end everywhere.
 */
function terminalDetector(wire: Wire): (payload: string) => boolean {
  const marks = [...new Set(Object.values(wire.nativeStops))].flatMap((stop) =>
    marksOf(wire, stop),
  );
  return (payload) => {
    const places = stringsByPlace([payload]);
    return marks.some(({ path, text }) =>
      text === undefined ? places.has(path) : places.get(path)?.has(text),
    );
  };
}

/** A recording, and how the subject's adapter reads it. */
export interface Replayed {
  readonly recording: Recording;
  readonly turn: RecordedTurn;
  /** The output cap of every request for it. */
  readonly cap: number;
  /** Absent if the reply is one JSON body. */
  readonly stream?: Stream;
}
/** A recording that streams. */
export interface Stream {
  /** Its turn is the one that the adapter reads: mutated replies are compared with it. */
  readonly fixture: Fixture;
  /** One of its events is an end that the wire knows. */
  readonly ended: boolean;
}

export const capped = (harness: Harness, maxTokens: number): Harness => ({
  ...harness,
  ask: (answer, { request, ...options } = {}) =>
    harness.ask(answer, { request: { maxTokens, ...request }, ...options }),
});

/**
 * A cap just above the usage: it shows nothing about the reply. The cap of the recorded request is
 * not known, and the native stop reason says whether it was reached. Without usage, the highest cap
 * of the model.
 */
function neutralCap({ adapter }: Harness, { output, towardCap = output }: Usage): number {
  const ceiling = adapter.maxTokens?.ceiling ?? Number.MAX_SAFE_INTEGER;
  return towardCap ? Math.min(Math.max(smallestCap, towardCap + 1), ceiling) : ceiling;
}
/** OpenAI refuses a smaller one. */
const smallestCap = 16;

/** Asks with a recording, in pieces of at most so many bytes. */
export const readIn = (
  harness: Harness,
  { bytes, headers }: Recording,
  size: number = bytes.length,
): Promise<RecordedTurn> =>
  askRecorded(harness, { chunks: chunks(bytes, Math.max(1, size)), headers });

const noUsage: Usage = { input: 0, output: 0 };

/** The cap that the turn file names, or one that shows nothing about the reply. */
async function capFor(harness: Harness, recording: Recording): Promise<number> {
  if (recording.expected?.maxTokens !== undefined) return recording.expected.maxTokens;
  const { usage } = await readIn(capped(harness, neutralCap(harness, noUsage)), recording);
  return neutralCap(harness, usage);
}

export async function readAll(
  subject: AdapterSubject,
  recordings: readonly Recording[],
  host: Host,
): Promise<readonly Replayed[]> {
  const uncapped = createHarness(subject, host, { exhaustive: false });
  const isEnd = terminalDetector(subject.wire);
  const all: Replayed[] = [];
  for (const recording of recordings) {
    const cap = await capFor(uncapped, recording);
    const harness = capped(uncapped, cap);
    const turn = await readIn(harness, recording);
    const { events } = recording;
    const stream = events && (await toStream(harness, { recording, events, turn, isEnd }));
    all.push({ recording, turn, cap, ...(stream && { stream }) });
  }
  return all;
}

interface Reading {
  readonly recording: Recording;
  readonly events: readonly string[];
  readonly turn: RecordedTurn;
  readonly isEnd: (payload: string) => boolean;
}

async function toStream(harness: Harness, reading: Reading): Promise<Stream> {
  const { recording, events, turn, isEnd } = reading;
  const { file: name, expected } = recording;
  const terminal = expected?.terminal ?? (await terminalOf(harness, reading)) ?? events.length;
  const frames = { upToTerminal: events.slice(0, terminal), after: events.slice(terminal) };
  const contentInTerminal =
    expected?.contentInTerminal ?? (await hasContentInTerminal(harness, frames, turn));
  return {
    ended: isEnd(events[terminal - 1] ?? ""),
    fixture: {
      name,
      frames,
      turn,
      ...(contentInTerminal && { contentInTerminal }),
      ...(expected?.replays && { replays: expected.replays }),
      ...(expected?.omits && { omits: expected.omits }),
    },
  };
}

/** Whether the turn has less text or fewer inputs without the terminal. */
async function hasContentInTerminal(
  harness: Harness,
  { upToTerminal }: Frames,
  turn: RecordedTurn,
): Promise<boolean> {
  const before = await harness.ask(
    render(harness.wire, { upToTerminal: upToTerminal.slice(0, -1) }).bytes,
  );
  return sizeOf(before) !== sizeOf(turn);
}

const sizeOf = ({
  text,
  calls,
  withheld,
}: Pick<Turn, "text" | "calls" | "withheld"> | RecordedTurn): string =>
  JSON.stringify([text.length, calls.length + withheld.length]);

/** The number of the first possible end after which each longer prefix yields the whole turn. */
async function terminalOf(
  harness: Harness,
  { events, turn, isEnd }: Reading,
): Promise<number | undefined> {
  const candidates = events.flatMap((payload, at) => (isEnd(payload) ? [at + 1] : []));
  let found = candidates.at(-1);
  for (const number of candidates.slice(0, -1).reverse()) {
    const read = await harness.ask(
      render(harness.wire, { upToTerminal: events.slice(0, number) }).bytes,
    );
    if (outline(read) !== outline(turn)) break;
    found = number;
  }
  return found;
}
