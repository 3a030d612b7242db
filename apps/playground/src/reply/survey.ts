import { callsOf, type LoopName, loopNames, type RunCall } from "./loops.ts";
import { type Arrived, readReply } from "./read-reply.ts";

/** What the four would run if the reply ended at a byte: their calls as one text each. */
export type Runs = Readonly<Record<LoopName, string>>;

/** A part of a reply after which a loop would run the same calls. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
  /** `""`: it would run nothing. */
  readonly runs: string;
  /** The gate would run the same. */
  readonly agrees: boolean;
}

/** What calls mean: white space between their members does not count. */
export const runsText = (calls: readonly RunCall[]): string =>
  calls.map(({ name, input }) => `${name} ${JSON.stringify(JSON.parse(input))}`).join("\n");

async function runsAt(reply: Arrived, cut: number): Promise<Runs> {
  const judged = await readReply({ ...reply, bytes: reply.bytes.subarray(0, cut) });
  const calls = callsOf(judged, reply.protocol);
  return Object.fromEntries(loopNames.map((name) => [name, runsText(calls[name])])) as Record<
    LoopName,
    string
  >;
}

const isSame = (one: Runs, other: Runs): boolean =>
  loopNames.every((name) => one[name] === other[name]);

/** A long reply takes longer to read, so fewer places are looked at. */
const samplesFor = (length: number): number => (length > 100_000 ? 32 : 160);

/** Lets the page answer between two readings. */
const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

/**
 * What the four would run after each byte. It looks at many places, and searches the exact byte
 * between two places that differ. `signal` ends it.
 */
export async function survey(
  reply: Arrived,
  signal: AbortSignal,
): Promise<ReadonlyMap<number, Runs> | undefined> {
  const { length } = reply.bytes;
  const known = new Map<number, Runs>();
  const at = async (cut: number): Promise<Runs> => {
    const found = known.get(cut) ?? (await runsAt(reply, cut));
    known.set(cut, found);
    return found;
  };
  const samples = samplesFor(length);
  const found = new Map<number, Runs>([[0, await at(0)]]);
  let before = 0;
  for (let index = 1; index <= samples; index++) {
    if (signal.aborted) return undefined;
    const place = Math.round((index * length) / samples);
    for (const edge of await edgesBetween(before, place, at)) found.set(edge, await at(edge));
    before = place;
    if (index % 8 === 0) await pause();
  }
  return found;
}

/** The bytes from `from` (excluded) to `to` after which something else would run. */
async function edgesBetween(
  from: number,
  to: number,
  at: (cut: number) => Promise<Runs>,
): Promise<readonly number[]> {
  if (from === to || isSame(await at(from), await at(to))) return [];
  if (to - from === 1) return [to];
  const middle = (from + to) >> 1;
  return [...(await edgesBetween(from, middle, at)), ...(await edgesBetween(middle, to, at))];
}

/** The stretches of one loop, in order. */
export function stretchesOf(
  found: ReadonlyMap<number, Runs>,
  length: number,
  name: LoopName,
): readonly Stretch[] {
  const edges = [...found];
  const stretches = edges.map(([from, runs], index): Stretch => {
    const to = edges[index + 1]?.[0] ?? length + 1;
    return { from, to, runs: runs[name], agrees: runs[name] === runs.gate };
  });
  return stretches.filter(({ runs }) => runs !== "");
}
