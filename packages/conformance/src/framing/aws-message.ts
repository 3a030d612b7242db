import { type Bytes, joinBytes, utf8 } from "./framing.ts";

/** A header of a message. https://smithy.io/2.0/aws/amazon-eventstream.html */
export interface AwsHeader {
  readonly name: string;
  /** The type of the value, from 0 to 9. A text is 7. */
  readonly type: number;
  /** Its bytes, with their length before them if the type has no fixed length. */
  readonly value: Bytes;
}

const overhead = 16;
const preludeLength = 12;

/** The checksum of ISO 3309, four bits at a time. */
const crcOfBits = Array.from({ length: 16 }, (_, bits) => {
  let value = bits;
  for (let bit = 0; bit < 4; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value >>> 0;
});
function crcOf(bytes: Uint8Array): number {
  let value = 0xffffffff;
  for (const byte of bytes) {
    value ^= byte;
    value = (value >>> 4) ^ (crcOfBits[value & 15] ?? 0);
    value = (value >>> 4) ^ (crcOfBits[value & 15] ?? 0);
  }
  return (value ^ 0xffffffff) >>> 0;
}

const numbers = (...values: readonly number[]): Bytes => {
  const bytes = new Uint8Array(4 * values.length);
  const view = new DataView(bytes.buffer);
  values.forEach((value, index) => {
    view.setUint32(4 * index, value >>> 0);
  });
  return bytes;
};

const withLength = (bytes: Bytes): Bytes =>
  joinBytes([Uint8Array.of(bytes.length >> 8, bytes.length & 255), bytes]);
export const textHeader = (name: string, text: string): AwsHeader => ({
  name,
  type: 7,
  value: withLength(utf8(text)),
});

const headerBytes = ({ name, type, value }: AwsHeader): Bytes =>
  joinBytes([Uint8Array.of(utf8(name).length), utf8(name), Uint8Array.of(type), value]);

/** The bytes before the payload. `payloadLength` is what the prelude says. */
export function messageHead(headers: readonly AwsHeader[], payloadLength: number): Bytes {
  const written = joinBytes(headers.map(headerBytes));
  const lengths = numbers(overhead + written.length + payloadLength, written.length);
  return joinBytes([lengths, numbers(crcOf(lengths)), written]);
}

/** A message. `lie` is added to the length that its prelude says; the CRC of the prelude is right. */
export function writeMessage(headers: readonly AwsHeader[], payload: Bytes, lie = 0): Bytes {
  const bytes = joinBytes([messageHead(headers, payload.length + lie), payload]);
  return joinBytes([bytes, numbers(crcOf(bytes))]);
}

export interface AwsMessage {
  readonly headers: ReadonlyMap<string, string>;
  readonly payload: Bytes;
  readonly length: number;
  /** The names of its headers, in order. */
  readonly names: readonly string[];
}

const fixedLengths: readonly (number | undefined)[] = [
  0,
  0,
  1,
  2,
  4,
  8,
  undefined,
  undefined,
  8,
  16,
];

/** The complete message at the beginning, without a look at its CRCs. */
export function readMessageAt(bytes: Uint8Array): AwsMessage | undefined {
  if (bytes.length < overhead) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const length = view.getUint32(0);
  if (length < overhead || bytes.length < length) return undefined;
  const payloadStart = preludeLength + view.getUint32(4);
  const headers = new Map<string, string>();
  const names: string[] = [];
  const decoder = new TextDecoder();
  for (let at = preludeLength; at < payloadStart; ) {
    const nameEnd = at + 1 + view.getUint8(at);
    const name = decoder.decode(bytes.subarray(at + 1, nameEnd));
    const type = view.getUint8(nameEnd);
    const fixed = fixedLengths[type];
    const from = nameEnd + (fixed === undefined ? 3 : 1);
    const to = from + (fixed ?? view.getUint16(nameEnd + 1));
    if (type === 7) headers.set(name, decoder.decode(bytes.subarray(from, to)));
    names.push(name);
    at = to;
  }
  return { headers, names, payload: bytes.slice(payloadStart, length - 4), length };
}
