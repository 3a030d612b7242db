import { memoize } from "./memoize.ts";
import type { Frames } from "../wire.ts";

/** How the same frames may be written down; every way is legal. */
export interface SseStyle {
  readonly lineEnd?: "\n" | "\r\n" | "\r";
  /** Before the first frame: a byte order mark, a comment. */
  readonly lead?: string;
  /** Lines before each frame: comments, ids. `\n` stands for the line end. */
  readonly before?: string;
  /** Lines of the `event:` field; as the vendor writes them unless told. */
  readonly event?: (type: string | undefined) => string;
  readonly data?: (payload: string) => string;
}

/** A reply in bytes. A prefix shorter than `whole` has not got its terminal whole; one at least as long has. */
export interface Rendered {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly completeLength: number;
  /** The data of each event. */
  readonly payloads: readonly string[];
  /** Where each frame begins, and where the last one ends. */
  readonly edges: readonly number[];
}

const encoder = new TextEncoder();
export const utf8 = (text: string): Uint8Array<ArrayBuffer> => encoder.encode(text);

/** The JSON of a payload; nothing where it is not JSON (`[DONE]`). */
export function parseJson(payload: string): unknown {
  try {
    return JSON.parse(payload);
  } catch {
    return undefined;
  }
}
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const eventTypeOf = memoize((payload: string): string | undefined => {
  const value = parseJson(payload);
  return isObject(value) && typeof value["type"] === "string" ? value["type"] : undefined;
});
const vendorStyle = {
  event: (type: string | undefined): string => (type === undefined ? "" : `event: ${type}\n`),
  data: (payload: string): string => `data: ${payload}`,
};

/** Frames as server-sent events. */
export function render({ upToTerminal, after = [] }: Frames, style: SseStyle = {}): Rendered {
  const {
    lineEnd = "\n",
    lead = "",
    before = "",
    event = vendorStyle.event,
    data = vendorStyle.data,
  } = style;
  const frames = [...upToTerminal, ...after];
  const heads = frames.map(
    (payload, n) => (n === 0 ? lead : "") + before + event(eventTypeOf(payload)),
  );
  const parts = frames.map((payload, n) =>
    utf8(`${heads[n]}${data(payload)}\n\n`.replaceAll("\n", lineEnd)),
  );
  const edges = [0];
  for (const part of parts) edges.push((edges.at(-1) ?? 0) + part.length);
  const bytes = new Uint8Array(edges.at(-1) ?? 0);
  parts.forEach((part, n) => {
    bytes.set(part, edges[n]);
  });
  return {
    bytes,
    completeLength: (edges[upToTerminal.length] ?? 0) - 2 * lineEnd.length,
    payloads: frames,
    edges,
  };
}

const byteOrderMark = "\uFEFF";
const dataLines = (payload: string): string => {
  const value = parseJson(payload);
  const text = value === undefined ? payload : JSON.stringify(value, null, 1);
  return text
    .split("\n")
    .map((line) => `data: ${line}`)
    .join("\n");
};

/** Every way of writing that a reader of server-sent events must take. */
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

/** At most `size` bytes at a time. */
export function* chunks(
  bytes: Uint8Array<ArrayBuffer>,
  size: number,
): Generator<Uint8Array<ArrayBuffer>> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** How much of its beginning `bytes` shares with one of the others. */
export function commonPrefixLength(bytes: Uint8Array, others: readonly Uint8Array[]): number {
  const shared = others.map((other) => {
    let at = 0;
    while (at < other.length && other[at] === bytes[at]) at++;
    return at;
  });
  return Math.max(0, ...shared);
}

const decoder = new TextDecoder();
/** The end of what was sent, for a person. */
export function describeBytes(bytes: Uint8Array<ArrayBuffer>): string {
  const text = decoder.decode(bytes);
  return text.length <= 600 ? text : `… ${text.slice(-600)}`;
}
