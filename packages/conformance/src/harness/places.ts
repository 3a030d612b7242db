import { parseJson, type Rendered } from "./bytes.ts";
import { memoize } from "./memoize.ts";

/** How much of a long reply is tried. */
export interface Effort {
  /** Every byte instead of the places where readers break. */
  readonly exhaustive: boolean;
  /** At most so many places of each reply, evenly spread. */
  readonly sample?: number | undefined;
}

/** Of so many events of one shape in a row, those in the midst teach nothing that their neighbours do not: as many are tried at each end, and between. */
const longRun = 24;
const keptPerPart = 8;

/** What an event says, without what it says it with: its places, and the types in them. */
function* shapeParts(value: unknown, at: string): Generator<string> {
  if (typeof value !== "object" || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    const here = `${at}/${Array.isArray(value) ? "" : key}`;
    if (typeof inner === "string") yield key === "type" ? `${here}=${inner}` : here;
    else yield* shapeParts(inner, here);
  }
}
const eventShapeOf = memoize((payload: string): string => {
  const value = parseJson(payload);
  return value === undefined ? payload : [...shapeParts(value, "")].join();
});

/** `count` of a list, evenly spread, its first and its last among them. */
export function evenlySpread<Item>(list: readonly Item[], count: number): readonly Item[] {
  if (list.length <= count) return list;
  const step = (list.length - 1) / Math.max(1, count - 1);
  return Array.from({ length: count }, (_, n) => list[Math.round(n * step)] as Item);
}

/** The numbers of the events that are tried, where long runs of alike ones are thinned out. */
function distinctEvents(payloads: readonly string[]): readonly number[] {
  const runs: number[][] = [];
  payloads.forEach((payload, at) => {
    const last = runs.at(-1);
    const before = payloads[at - 1];
    if (
      last !== undefined &&
      before !== undefined &&
      eventShapeOf(before) === eventShapeOf(payload)
    )
      last.push(at);
    else runs.push([at]);
  });
  return runs.flatMap((run) =>
    run.length <= longRun
      ? run
      : [
          ...run.slice(0, keptPerPart),
          ...evenlySpread(run.slice(keptPerPart, -keptPerPart), keptPerPart),
          ...run.slice(-keptPerPart),
        ],
  );
}

/** Where a reply is taken apart: the numbers of its edges, that of its end among them. */
export function eventPositions(
  { payloads, edges }: Rendered,
  { exhaustive, sample }: Effort,
): readonly number[] {
  const end = edges.length - 1;
  const all =
    exhaustive || payloads.length !== end
      ? edges.map((_, n) => n)
      : [...distinctEvents(payloads), end];
  return sample === undefined ? all : evenlySpread(all, sample);
}

/** The lengths of a reply that ends between two events. */
export const eventBoundaries = (rendered: Rendered, effort: Effort): readonly number[] =>
  eventPositions(rendered, effort).map((n) => rendered.edges[n] ?? 0);

/** Prefix lengths: every byte, or the edges of each frame and one byte inside it. */
export function prefixLengths(
  rendered: Rendered,
  { exhaustive, sample }: Effort,
): readonly number[] {
  const { edges, bytes } = rendered;
  const near = (n: number): readonly number[] => {
    const edge = edges[n] ?? 0;
    return [edge - 3, edge - 2, edge - 1, edge, Math.floor((edge + (edges[n + 1] ?? edge)) / 2)];
  };
  const all = exhaustive
    ? Array.from({ length: bytes.length + 1 }, (_, n) => n)
    : [...new Set(eventPositions(rendered, { exhaustive }).flatMap(near))]
        .filter((n) => n >= 0 && n <= bytes.length)
        .sort((a, b) => a - b);
  return sample === undefined ? all : evenlySpread(all, sample);
}
