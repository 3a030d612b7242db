import { crc32 } from "node:zlib";

/** A header of a message with a text. */
export type TextHeader = readonly [name: string, text: string];

const preludeLength = 12;
const crcLength = 4;
const textType = 7;

/** A header of each other type, with the bytes behind its type. */
const otherHeaders: readonly (readonly [type: number, bytes: readonly number[]])[] = [
  [0, []],
  [1, []],
  [2, [7]],
  [3, [0, 7]],
  [4, [0, 0, 0, 7]],
  [5, [0, 0, 0, 0, 0, 0, 0, 7]],
  [6, [0, 2, 123, 125]],
  [8, [0, 0, 1, 148, 0, 0, 0, 0]],
  [9, Array.from({ length: 16 }, (_, index) => index)],
];

/** How a message is written. */
interface MessageStyle {
  readonly headers: readonly TextHeader[];
  /** Also headers of other types, before the others. */
  readonly others: boolean;
}

/** The bytes of a message. https://smithy.io/2.0/aws/amazon-eventstream.html */
export function writeMessage({ headers, others }: MessageStyle, payload: string): Buffer {
  const head = Buffer.concat([
    ...(others ? otherHeaders.map(otherHeader) : []),
    ...headers.map(textHeader),
  ]);
  const body = Buffer.from(payload);
  const total = preludeLength + head.length + body.length + crcLength;
  const lengths = Buffer.alloc(preludeLength);
  lengths.writeUInt32BE(total, 0);
  lengths.writeUInt32BE(head.length, 4);
  lengths.writeUInt32BE(crc32(lengths.subarray(0, 8)), 8);
  const message = Buffer.concat([lengths, head, body]);
  const crc = Buffer.alloc(crcLength);
  crc.writeUInt32BE(crc32(message));
  return Buffer.concat([message, crc]);
}

const headerName = (name: string): Buffer =>
  Buffer.concat([Buffer.of(Buffer.byteLength(name)), Buffer.from(name)]);

const otherHeader = ([type, bytes]: (typeof otherHeaders)[number]): Buffer =>
  Buffer.concat([headerName(`x-${type}`), Buffer.of(type), Buffer.from(bytes)]);

function textHeader([name, text]: TextHeader): Buffer {
  const value = Buffer.from(text);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(value.length);
  return Buffer.concat([headerName(name), Buffer.of(textType), length, value]);
}

/** What is at the beginning of bytes: a message, a part of one, or something that is none. */
export type ReadMessage =
  | {
      readonly kind: "message";
      readonly headers: ReadonlyMap<string, string>;
      readonly payload: string;
      readonly length: number;
    }
  | { readonly kind: "incomplete" | "damaged" };

export function readMessage(bytes: Buffer): ReadMessage {
  if (bytes.length < preludeLength) return { kind: "incomplete" };
  const length = bytes.readUInt32BE(0);
  const headersLength = bytes.readUInt32BE(4);
  const payloadStart = preludeLength + headersLength;
  if (crc32(bytes.subarray(0, 8)) !== bytes.readUInt32BE(8) || payloadStart + crcLength > length)
    return { kind: "damaged" };
  if (bytes.length < length) return { kind: "incomplete" };
  const end = length - crcLength;
  if (crc32(bytes.subarray(0, end)) !== bytes.readUInt32BE(end)) return { kind: "damaged" };
  return {
    kind: "message",
    headers: readTexts(bytes.subarray(preludeLength, payloadStart)),
    payload: bytes.toString("utf8", payloadStart, end),
    length,
  };
}

/** The values of fixed length, by their type. */
const fixedLengths = new Map(
  otherHeaders.flatMap(([type, bytes]) => (type === 6 ? [] : [[type, bytes.length] as const])),
);

function readTexts(bytes: Buffer): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (let at = 0; at < bytes.length; ) {
    const nameEnd = at + 1 + bytes.readUInt8(at);
    const type = bytes.readUInt8(nameEnd);
    const fixed = fixedLengths.get(type);
    const start = nameEnd + (fixed === undefined ? 3 : 1);
    const end = start + (fixed ?? bytes.readUInt16BE(nameEnd + 1));
    if (type === textType)
      texts.set(bytes.toString("utf8", at + 1, nameEnd), bytes.toString("utf8", start, end));
    at = end;
  }
  return texts;
}
