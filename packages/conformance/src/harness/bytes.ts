import type { Frames } from "../wire.ts";
import { shortenMiddle } from "./excerpt.ts";
import { type Answer, jsonBody } from "./host.ts";
import { isObject, memoize, tryParseJson } from "./json.ts";

/** A way to write frames as server-sent events. All of these ways are legal. */
interface SseStyle {
  readonly lineEnd?: "\n" | "\r\n" | "\r";
  /** Text before the first frame: a byte order mark or a comment. */
  readonly lead?: string;
  /** Lines before each frame: comments, ids. `\n` is replaced by the line end. */
  readonly before?: string;
  /** The line of the `event:` field. By default it is written as the vendor writes it. */
  readonly event?: (type: string | undefined) => string;
  readonly data?: (payload: string) => string;
}

/** A reply in bytes. */
export interface Rendered {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The length of the shortest prefix that holds the whole terminal event. */
  readonly completeLength: number;
  /** The data of each event. */
  readonly payloads: readonly string[];
  /** The offset of each frame, and at the end the offset after the last one. */
  readonly edges: readonly number[];
}

const encoder = new TextEncoder();
export const utf8 = (text: string): Uint8Array<ArrayBuffer> => encoder.encode(text);

/** An answer with one JSON body. */
export const jsonAnswer = (body: string, answer: Omit<Answer, "chunks"> = {}): Answer => ({
  ...answer,
  headers: { ...jsonBody, ...answer.headers },
  chunks: [utf8(body)],
});

/** The type at the beginning of a payload that is torn. The `event:` line stands before the tear. */
const tornType = /^\{"type":"([\w.]+)",/;
/** The name of the event that has this data, if the protocol names its events. */
export const eventTypeOf: (payload: string) => string | undefined = memoize(
  (payload: string): string | undefined => {
    const value = tryParseJson(payload);
    if (value === undefined) return tornType.exec(payload)?.[1];
    return isObject(value) && typeof value["type"] === "string" ? value["type"] : undefined;
  },
);
const vendorStyle = {
  event: (type: string | undefined): string => (type === undefined ? "" : `event: ${type}\n`),
  data: (payload: string): string => `data: ${payload}`,
};

/** Writes frames as server-sent events. */
export function render({ upToTerminal, after = [] }: Frames, style: SseStyle = {}): Rendered {
  const { lineEnd = "\n", lead = "", before = "" } = style;
  const { event = vendorStyle.event, data = vendorStyle.data } = style;
  const frames = [...upToTerminal, ...after];
  const parts = frames.map((payload, index) => {
    const head = (index === 0 ? lead : "") + before + event(eventTypeOf(payload));
    return utf8(`${head}${data(payload)}\n\n`.replaceAll("\n", lineEnd));
  });
  const edges = [0];
  for (const part of parts) edges.push((edges.at(-1) ?? 0) + part.length);
  const bytes = new Uint8Array(edges.at(-1) ?? 0);
  parts.forEach((part, index) => {
    bytes.set(part, edges[index]);
  });
  const blankLine = 2 * lineEnd.length;
  const completeLength = (edges[upToTerminal.length] ?? 0) - blankLine;
  return { bytes, completeLength, payloads: frames, edges };
}

const byteOrderMark = "\uFEFF";
const dataLines = (payload: string): string => {
  const value = tryParseJson(payload);
  const text = value === undefined ? payload : JSON.stringify(value, null, 1);
  return text
    .split("\n")
    .map((line) => `data: ${line}`)
    .join("\n");
};

/** Every way of writing that a reader of server-sent events must accept. */
export const sseStyles: Readonly<Record<string, SseStyle>> = {
  "lines that end in CRLF": { lineEnd: "\r\n" },
  "lines that end in CR": { lineEnd: "\r" },
  "a byte order mark": { lead: byteOrderMark },
  "comments between the frames": { lead: ": hello\n\n", before: ": keep-alive\n\n:\n" },
  "a comment inside each frame": { before: ": inside\n" },
  "data of several lines": { data: dataLines },
  "data of several lines that end in CRLF": { lineEnd: "\r\n", data: dataLines },
  "no space after the colon": {
    event: (type) => (type === undefined ? "" : `event:${type}\n`),
    data: (payload) => `data:${payload}`,
  },
  "no event names": { event: () => "" },
  "the same event name on every frame": { event: () => "event: message\n" },
  "ids and retry times": { before: "id: 7\nretry: 3000\n" },
};

/** Yields the bytes in chunks of at most `size` bytes. */
export function* chunks(
  bytes: Uint8Array<ArrayBuffer>,
  size: number,
): Generator<Uint8Array<ArrayBuffer>> {
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

const decoder = new TextDecoder();
/** What was sent, as text for a person; of a long text the beginning and the end. */
export const describeBytes = (bytes: Uint8Array<ArrayBuffer>): string =>
  shortenMiddle(decoder.decode(bytes));

/** How much of a long reply is tried. */
export interface Effort {
  /** Every byte, not only the places where readers break. */
  readonly exhaustive: boolean;
  /** At most this many places of each reply, evenly spread. */
  readonly sample?: number | undefined;
}

/**
 * A run of events of one shape that is longer than this is thinned out: the middle ones add
 * nothing.
 */
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

/**
 * The numbers of the edges at which a reply is taken apart. The end of the reply is one of them.
 */
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

/**
 * Prefix lengths: every byte if `exhaustive`, else around each edge and in the middle of each
 * frame.
 */
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
