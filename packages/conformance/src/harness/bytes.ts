import type { Frames } from "../wire.ts";
import { type Answer, jsonBody } from "./host.ts";
import { isObject, memoize, tryParseJson } from "./json.ts";

/** A way to write frames as server-sent events. All of these ways are legal. */
export interface SseStyle {
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

const eventTypeOf = memoize((payload: string): string | undefined => {
  const value = tryParseJson(payload);
  return isObject(value) && typeof value["type"] === "string" ? value["type"] : undefined;
});
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
/** The end of what was sent, as text for a person. */
export function describeBytes(bytes: Uint8Array<ArrayBuffer>): string {
  const text = decoder.decode(bytes);
  return text.length <= 600 ? text : `… ${text.slice(-600)}`;
}
