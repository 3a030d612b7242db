import type { Rendered } from "./bytes.ts";
import { memoize, tryParseJson } from "./json.ts";

/** How much of a long reply is tried. */
export interface Effort {
  /** Every byte, not only the places where readers break. */
  readonly exhaustive: boolean;
  /** At most this many places of each reply, evenly spread. */
  readonly sample?: number | undefined;
}

/** A run of events of one shape that is longer than this is thinned out: the middle ones add nothing. */
const longRun = 24;
/** How many events of a long run are tried at its start, in its middle and at its end. */
const keptPerPart = 8;

/** The paths of an event, and the values of its `type` members; not its other texts. */
function* shapeParts(value: unknown, at: string): Generator<string> {
  if (typeof value !== "object" || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    const here = `${at}/${Array.isArray(value) ? "" : key}`;
    if (typeof inner === "string") yield key === "type" ? `${here}=${inner}` : here;
    else yield* shapeParts(inner, here);
  }
}
const eventShapeOf = memoize((payload: string): string => {
  const value = tryParseJson(payload);
  return value === undefined ? payload : [...shapeParts(value, "")].join();
});

/** `count` items of a list, evenly spread. The first and the last are always included. */
function evenlySpread<Item>(items: readonly Item[], count: number): readonly Item[] {
  if (items.length <= count) return items;
  const step = (items.length - 1) / Math.max(1, count - 1);
  return Array.from({ length: count }, (_, index) => items[Math.round(index * step)] as Item);
}

/** The numbers of the events that are tried, with long runs of one shape thinned out. */
function distinctEvents(payloads: readonly string[]): readonly number[] {
  const runs: number[][] = [];
  payloads.forEach((payload, at) => {
    const last = runs.at(-1);
    const before = payloads[at - 1];
    const sameShape = before !== undefined && eventShapeOf(before) === eventShapeOf(payload);
    if (last !== undefined && sameShape) last.push(at);
    else runs.push([at]);
  });
  return runs.flatMap((run) => {
    if (run.length <= longRun) return run;
    const middle = run.slice(keptPerPart, -keptPerPart);
    return [
      ...run.slice(0, keptPerPart),
      ...evenlySpread(middle, keptPerPart),
      ...run.slice(-keptPerPart),
    ];
  });
}

/** The numbers of the edges at which a reply is taken apart. The end of the reply is one of them. */
export function eventPositions(
  { payloads, edges }: Rendered,
  { exhaustive, sample }: Effort,
): readonly number[] {
  const end = edges.length - 1;
  const everyEdge = exhaustive || payloads.length !== end;
  const all = everyEdge ? edges.map((_, index) => index) : [...distinctEvents(payloads), end];
  return sample === undefined ? all : evenlySpread(all, sample);
}

/** The lengths of the prefixes that end between two events. */
export const eventBoundaries = (rendered: Rendered, effort: Effort): readonly number[] =>
  eventPositions(rendered, effort).map((index) => rendered.edges[index] ?? 0);

/** Prefix lengths: every byte if `exhaustive`, else around each edge and in the middle of each frame. */
export function prefixLengths(
  rendered: Rendered,
  { exhaustive, sample }: Effort,
): readonly number[] {
  const { edges, bytes } = rendered;
  const near = (index: number): readonly number[] => {
    const edge = edges[index] ?? 0;
    const middle = Math.floor((edge + (edges[index + 1] ?? edge)) / 2);
    return [edge - 3, edge - 2, edge - 1, edge, middle];
  };
  const all = exhaustive
    ? Array.from({ length: bytes.length + 1 }, (_, length) => length)
    : [...new Set(eventPositions(rendered, { exhaustive }).flatMap(near))]
        .filter((length) => length >= 0 && length <= bytes.length)
        .sort((first, second) => first - second);
  return sample === undefined ? all : evenlySpread(all, sample);
}
