/** The checksum of ISO 3309, as in gzip. https://www.w3.org/TR/png/#D-CRCAppendix */
const table = /* @__PURE__ */ Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

function crc32(bytes: Uint8Array, length: number): number {
  let value = 0xffffffff;
  for (let at = 0; at < length; at++)
    value = (value >>> 8) ^ (table[(value ^ (bytes[at] ?? 0)) & 0xff] ?? 0);
  return (value ^ 0xffffffff) >>> 0;
}

// The AWS SDK's own codec (@smithy/core 3.40) is not used: it allocates what a length says before it
// checks the CRC, and takes a body that ends inside its first four bytes for a clean end.

/** A message of an AWS event stream begins with its length, that of its headers, and a CRC. */
export const preludeLength = 12;
const crcLength = 4;
const maxHeadersLength = 128 * 1024;

/** The numbers that a message begins with. `fault`: why they cannot be right. */
export interface AwsPrelude {
  readonly length: number;
  readonly payloadLength: number;
  readonly fault?: string;
}

const decoder = /* @__PURE__ */ new TextDecoder("utf-8", { fatal: true });
/** @throws TypeError if the bytes are not UTF-8. */
export const readText = (bytes: Uint8Array): string => decoder.decode(bytes);
const viewOf = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

export function readPrelude(bytes: Uint8Array): AwsPrelude {
  const view = viewOf(bytes);
  const length = view.getUint32(0);
  const headersLength = view.getUint32(4);
  const payloadLength = length - headersLength - preludeLength - crcLength;
  const prelude = { length, payloadLength };
  if (view.getUint32(8) !== crc32(bytes, 8))
    return { ...prelude, fault: "the CRC of its prelude is wrong" };
  if (payloadLength < 0)
    return { ...prelude, fault: `its length is ${length}, too short for its headers` };
  if (headersLength > maxHeadersLength)
    return { ...prelude, fault: `its headers are longer than ${maxHeadersLength} bytes` };
  return prelude;
}

/** What a message says. A header that is not a text has the value `undefined`. */
export interface AwsMessage {
  readonly headers: ReadonlyMap<string, string | undefined>;
  readonly payload: Uint8Array;
}

export type ReadMessage = (message: Uint8Array) => AwsMessage;

/**
 * A reader of complete messages whose preludes were checked. Most messages of a reply have the same
 * headers as the one before, and these are read once.
 * https://smithy.io/2.0/aws/amazon-eventstream.html
 * @throws Error if a CRC is wrong, headers cannot be read, or a header comes twice.
 */
export function createMessageDecoder(): ReadMessage {
  let known: Uint8Array = new Uint8Array(0);
  let headers: AwsMessage["headers"] = new Map();
  return (message) => {
    const end = message.length - crcLength;
    const view = viewOf(message);
    if (view.getUint32(end) !== crc32(message, end)) throw new Error("its CRC is wrong");
    const payloadStart = preludeLength + view.getUint32(4);
    const bytes = message.subarray(preludeLength, payloadStart);
    if (!isSame(bytes, known)) {
      headers = readHeaders(bytes);
      known = bytes.slice();
    }
    return { headers, payload: message.subarray(payloadStart, end) };
  };
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  if (one.length !== other.length) return false;
  for (let at = 0; at < one.length; at += 1) if (one[at] !== other[at]) return false;
  return true;
}

const textType = 7;
/** The length of each type of value. `undefined`: the value begins with its length. */
const valueLengths: readonly (number | undefined)[] = [
  0, // true
  0, // false
  1, // byte
  2, // short
  4, // integer
  8, // long
  undefined, // bytes
  undefined, // text
  8, // timestamp
  16, // UUID
];

function readHeaders(bytes: Uint8Array): AwsMessage["headers"] {
  const headers = new Map<string, string | undefined>();
  const view = viewOf(bytes);
  let at = 0;
  const take = (length: number): Uint8Array => {
    if (at + length > bytes.length) throw new Error("a header is longer than all headers");
    at += length;
    return bytes.subarray(at - length, at);
  };
  const takeNumber = (length: 1 | 2): number => {
    take(length);
    return length === 1 ? view.getUint8(at - 1) : view.getUint16(at - 2);
  };
  while (at < bytes.length) {
    const name = readText(take(takeNumber(1)));
    const type = takeNumber(1);
    if (type >= valueLengths.length) throw new Error(`a header has the unknown type ${type}`);
    const value = take(valueLengths[type] ?? takeNumber(2));
    if (headers.has(name)) throw new Error(`it has the header "${name}" twice`);
    headers.set(name, type === textType ? readText(value) : undefined);
  }
  return headers;
}
