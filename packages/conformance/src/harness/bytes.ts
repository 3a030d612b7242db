import { type Bytes, type FrameStyle, joinBytes, utf8 } from "../framing/framing.ts";
import { type Framed, framingOf } from "../framing/index.ts";
import type { Frames } from "../wire.ts";
import { type Answer, jsonBody } from "./host.ts";
import { memoize, shortenMiddle, tryParseJson } from "./json.ts";

export { utf8 } from "../framing/framing.ts";

const decoder = new TextDecoder();

export interface Rendered {
  readonly bytes: Bytes;
  /** The length of the shortest prefix that holds the whole terminal event. */
  readonly completeLength: number;
  /** The data of each event. */
  readonly payloads: readonly string[];
  /** The offset of each frame, and at the end the offset after the last one. */
  readonly edges: readonly number[];
  /** How many bytes at the end of a frame a reader can do without. */
  readonly tailLength: number;
  /** Distances from the start of a frame at which the reply is cut, too. */
  readonly innerCuts: readonly number[];
}

/** An answer with a JSON body. */
export const jsonAnswer = (body: string, answer: Omit<Answer, "chunks"> = {}): Answer => ({
  ...answer,
  headers: { ...jsonBody, ...answer.headers },
  chunks: [utf8(body)],
});

/** The answer to a request for a reply in one piece. */
export const wholeAnswer = (body: string, answer: Omit<Answer, "chunks"> = {}): Answer => ({
  ...jsonAnswer(body, answer),
  isWhole: true,
});

/** The answer to a request that a server does not know. */
export const notFound = (message: string): Answer =>
  jsonAnswer(JSON.stringify({ error: { type: "not_found_error", message } }), { status: 404 });

/** Writes frames in the framing of the wire: as the vendor does, or in another style. */
export function render(
  wire: Framed,
  { upToTerminal, after = [] }: Frames,
  style?: FrameStyle,
): Rendered {
  const { usual, innerCuts } = framingOf(wire);
  const { write, tailLength } = style ?? usual;
  const frames = [...upToTerminal, ...after];
  const parts = frames.map(write);
  const edges = [0];
  for (const part of parts) edges.push((edges.at(-1) ?? 0) + part.length);
  const completeLength = (edges[upToTerminal.length] ?? 0) - tailLength;
  const bytes = joinBytes(parts);
  return { bytes, completeLength, payloads: frames, edges, tailLength, innerCuts };
}

/** A JSON body in parts of one length, so that it can be cut in as many places as a stream. */
export function renderBody(bytes: Bytes, parts = 16): Rendered {
  const completeLength = utf8(decoder.decode(bytes).trimEnd()).length;
  const edges = Array.from({ length: parts + 1 }, (_, index) =>
    Math.floor((completeLength * index) / parts),
  );
  return { bytes, completeLength, payloads: [], edges, tailLength: 0, innerCuts: [] };
}

export function* chunks(bytes: Bytes, size: number): Generator<Bytes> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** The length of the longest beginning that `bytes` shares with one of the others. */
export function commonPrefixLength(bytes: Uint8Array, others: readonly Uint8Array[]): number {
  const shared = others.map((other) => {
    let at = 0;
    while (at < other.length && other[at] === bytes[at]) at++;
    return at;
  });
  return Math.max(0, ...shared);
}

/** What was sent, as text for a person; of a long text the beginning and the end. */
export const describeBytes = (bytes: Bytes): string =>
  shortenMiddle(decoder.decode(bytes).replaceAll(notText, "\u00b7"));
/** Control characters and what is not UTF-8, as binary frames have them. */
const notText = /(?:(?![\t\n\r])[\p{Cc}\ufffd])+/gu;

/** How much of a long reply is tried. */
export interface Effort {
  /** Every byte, not only the places where readers break. */
  readonly exhaustive: boolean;
  /**
   * At most this many places of each reply, evenly spread. Up to four, each reply is also written,
   * split and ended in only one of the ways, in turn, and each stop reason under which no call runs
   * has one of the shapes.
   */
  readonly sample?: number | undefined;
}

/** The sample if it is small: what has no places is also tried less often then. */
export const smallSample = ({ sample }: Effort): number | undefined =>
  sample !== undefined && sample <= 4 ? sample : undefined;

/** Pieces of a reply in a small sample. */
const mostPieces = 400;

/** The size of the smallest pieces of a reply. Those of a long reply are larger in a small sample. */
export const pieceSize = ({ length }: Bytes, size: number, effort: Effort): number =>
  smallSample(effort) === undefined ? size : Math.max(size, Math.ceil(length / mostPieces));

/** All of the ways. In a small sample only one, and another one for the next number. */
export const waysFor = <Way>(
  ways: readonly Way[],
  number: number,
  effort: Effort,
): readonly Way[] =>
  smallSample(effort) === undefined ? ways : ways.filter((_, at) => at === number % ways.length);

/** A longer run of events of one shape is thinned out: the middle ones add nothing. */
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

/** `count` items of a list, evenly spread: the first, and if it is more than one, the last. */
export function evenlySpread<Item>(
  items: readonly Item[],
  count: number | undefined,
): readonly Item[] {
  if (count === undefined || items.length <= count) return items;
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

/** The numbers of the edges at which a reply is taken apart, with the end of the reply. */
export function eventPositions(
  { payloads, edges }: Rendered,
  { exhaustive, sample }: Effort,
): readonly number[] {
  const end = edges.length - 1;
  const everyEdge = exhaustive || payloads.length !== end;
  const all = everyEdge ? edges.map((_, index) => index) : [...distinctEvents(payloads), end];
  return evenlySpread(all, sample);
}

/** The lengths of the prefixes that end between two events. */
export const eventBoundaries = (rendered: Rendered, effort: Effort): readonly number[] =>
  eventPositions(rendered, effort).map((index) => rendered.edges[index] ?? 0);

/** The lengths of all prefixes that are tried: every byte if `exhaustive`, else around each edge and in the middle of each frame. */
function everyLength(rendered: Rendered, exhaustive: boolean): readonly number[] {
  const { edges, bytes, innerCuts } = rendered;
  if (exhaustive) return Array.from({ length: bytes.length + 1 }, (_, length) => length);
  const near = (index: number): readonly number[] => {
    const edge = edges[index] ?? 0;
    const middle = Math.floor((edge + (edges[index + 1] ?? edge)) / 2);
    const inner = innerCuts.map((distance) => edge + distance);
    return [edge - 3, edge - 2, edge - 1, edge, ...inner, middle];
  };
  return [...new Set(eventPositions(rendered, { exhaustive }).flatMap(near))]
    .filter((length) => length >= 0 && length <= bytes.length)
    .sort((first, second) => first - second);
}

/** Every byte if `exhaustive`, else around each edge and in the middle of each frame. */
export const prefixLengths = (
  rendered: Rendered,
  { exhaustive, sample }: Effort,
): readonly number[] => evenlySpread(everyLength(rendered, exhaustive), sample);

/** `count` items from inside a list, evenly spread: one of each of its `count` parts. */
const spreadInside = <Item>(items: readonly Item[], count: number): readonly Item[] =>
  items.length <= count
    ? items
    : Array.from(
        { length: count },
        (_, index) => items[Math.floor(((index + 0.5) * items.length) / count)] as Item,
      );

/**
 * The beginnings of a reply that end before its terminal is complete. Those that it shares with the
 * replies in `tried` are left out, and it is added to them. A sample counts nothing and the whole
 * reply among its places, so it has two beginnings less, but at least one.
 */
export function* newBeginnings(
  rendered: Rendered,
  { exhaustive, sample = Number.POSITIVE_INFINITY }: Effort,
  tried: Uint8Array[],
): Generator<Bytes> {
  const { bytes, completeLength } = rendered;
  const known = commonPrefixLength(bytes, tried);
  tried.push(bytes.subarray(0, completeLength - 1));
  const lengths = everyLength(rendered, exhaustive).filter(
    (length) => length > known && length < completeLength,
  );
  for (const length of spreadInside(lengths, Math.max(1, sample - 2)))
    yield bytes.subarray(0, length);
}
