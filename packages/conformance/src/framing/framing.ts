/** The framings that the suite can write. A wire names one of them. */
export type FramingName = "sse" | "ndjson" | "aws";

export type Bytes = Uint8Array<ArrayBuffer>;

/** One legal way to write an event. */
export interface FrameStyle {
  /** The bytes of the event with this data; `index` is its number. */
  write(data: string, index: number): Bytes;
  /** How many bytes at the end of a frame a reader can do without. */
  readonly tailLength: number;
}

/** How the events of a reply become bytes. It shares no code with a reader. */
export interface Framing {
  readonly headers: Readonly<Record<"content-type", string>>;
  /** As vendors write events. */
  readonly usual: FrameStyle;
  /** Every other way of writing that a reader must accept. */
  readonly styles: Readonly<Record<string, FrameStyle>>;
  /** Those ways, and the usual one, that differ in the end of a frame. */
  readonly ends: readonly FrameStyle[];
  /** Distances from the start of a frame at which readers break if the reply is cut there. */
  readonly innerCuts: readonly number[];
  /** What replaces an event so that a reader cannot read it. The names follow "event 3". */
  readonly damages: Readonly<Record<string, (data: string) => Bytes>>;
  /** Bodies in this framing in which no reply is. */
  readonly emptyBodies: Readonly<Record<string, Bytes>>;
  /** The data of events that end streams of other protocols, and that readers must skip. */
  readonly foreignEnds: readonly string[];
  /** A reader may ignore an event whose name it does not know, without a look at its data. */
  readonly namesEvents?: true;
  /**
   * The data of errors that every protocol in this framing can send, also with the name of an event
   * of the reply with this data.
   */
  exceptions?(data: readonly string[]): readonly string[];
  /** The data of the complete events, and the bytes after them. */
  read(bytes: Uint8Array): ReadFrames;
  /** The same body with other data in its events, as far as they are complete. */
  rewrite(bytes: Bytes, change: (data: string) => string): Bytes;
  /**
   * Splits the event with this data at the marker. Between the two parts `length` bytes of text
   * will follow, so that it is one event without an end in sight.
   */
  splitAt(data: string, marker: string, length: number): readonly [head: Bytes, tail: Bytes];
}

export interface ReadFrames {
  readonly events: readonly string[];
  /** An event that is not complete. Empty if there is none. */
  readonly rest: Uint8Array;
}

const encoder = new TextEncoder();
export const utf8 = (text: string): Bytes => encoder.encode(text);

export function joinBytes(parts: readonly Uint8Array[]): Bytes {
  const joined = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

export const firstHalf = (text: string): string => text.slice(0, Math.ceil(text.length / 2));

export const pageInReply = "<html>Bad gateway</html>";

export const rewriteText: Framing["rewrite"] = (bytes, change) =>
  utf8(change(new TextDecoder().decode(bytes)));

export function splitText(frame: Bytes, marker: string): readonly [head: Bytes, tail: Bytes] {
  const [head = "", tail = ""] = new TextDecoder().decode(frame).split(marker);
  return [utf8(head), utf8(tail)];
}
