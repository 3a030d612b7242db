import { crc32 } from "node:zlib";
import { EventStreamCodec, Int64 } from "@smithy/core/event-streams";
import { fromUtf8, toUtf8 } from "@smithy/core/serde";
import type { Frame, Layout } from "../bytes.ts";
import { parseAll, parseJsonBody, type Received } from "../received.ts";
import type { Framing } from "./framing.ts";

/** The codec of the vendor. https://smithy.io/2.0/aws/amazon-eventstream.html */
const codec = new EventStreamCodec(toUtf8, fromUtf8);
type Headers = ReturnType<typeof codec.decode>["headers"];
const preludeLength = 12;
const crcLength = 4;

/** A header of each type but text. */
const otherHeaders: Headers = {
  "x-true": { type: "boolean", value: true },
  "x-false": { type: "boolean", value: false },
  "x-byte": { type: "byte", value: 7 },
  "x-short": { type: "short", value: 7 },
  "x-integer": { type: "integer", value: 7 },
  "x-long": { type: "long", value: Int64.fromNumber(7) },
  "x-binary": { type: "binary", value: Uint8Array.of(123, 125) },
  "x-timestamp": { type: "timestamp", value: new Date(0) },
  "x-uuid": { type: "uuid", value: "00010203-0405-0607-0809-0a0b0c0d0e0f" },
};

/** The AWS event stream. */
export const messages: Framing = {
  type: "application/vnd.amazon.eventstream",
  namesErrors: false,
  hasChecksums: true,
  encode: (frames, layout) => Buffer.concat(frames.map((frame) => encodeMessage(frame, layout))),
  parse: parseMessages,
};

/** An error without a payload. Its data has the code and the message. */
export const unmodeledError = ":error";

/** The name of a frame is the type of its event. */
function encodeMessage({ name = "", data }: Frame, layout: Layout): Uint8Array {
  const headers = headersOf(name, data).filter(
    ([header]) => !layout.tight || header !== ":content-type",
  );
  const texts = (layout.names ? headers.toReversed() : headers).map(
    ([header, value]) => [header, { type: "string", value }] as const,
  );
  return codec.encode({
    headers: { ...(layout.comments && otherHeaders), ...Object.fromEntries(texts) },
    body: fromUtf8(name === unmodeledError ? "" : data),
  });
}

function headersOf(name: string, data: string): readonly (readonly [name: string, text: string])[] {
  if (name === unmodeledError) {
    const error = JSON.parse(data) as Readonly<Record<string, string>>;
    return [[":message-type", "error"], ...Object.entries(error)];
  }
  const kind = name.endsWith("Exception") ? "exception" : "event";
  return [
    [`:${kind}-type`, name],
    [":content-type", "application/json"],
    [":message-type", kind],
  ];
}

function parseMessages(bytes: Uint8Array, reset: boolean): Received {
  const whole = parseJsonBody(new TextDecoder().decode(bytes), reset);
  if (whole !== undefined) return whole;
  const texts: string[] = [];
  let rest = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let damage: Received["damage"] = "none";
  while (rest.length > 0) {
    const length = lengthOf(rest);
    if (length !== undefined && length > rest.length) {
      if (!reset) damage = "last";
      break;
    }
    const text = length && readMessage(rest.subarray(0, length));
    if (!text) {
      damage = "before";
      break;
    }
    texts.push(text);
    rest = rest.subarray(length);
  }
  const parsed = parseAll(texts);
  return { ...parsed, damage: parsed.damage === "none" ? damage : "before", whole: false, reset };
}

/** The length of the message at the beginning. `Infinity`: not known yet. `undefined`: damaged. */
function lengthOf(bytes: Buffer): number | undefined {
  if (bytes.length < preludeLength) return Number.POSITIVE_INFINITY;
  const length = bytes.readUInt32BE(0);
  const least = preludeLength + bytes.readUInt32BE(4) + crcLength;
  const isSound = crc32(bytes.subarray(0, 8)) === bytes.readUInt32BE(8);
  return isSound && least <= length ? length : undefined;
}

/** An event as an object with its type as the member. `undefined`: the message is damaged. */
function readMessage(bytes: Uint8Array): string | undefined {
  try {
    const { headers, body } = codec.decode(bytes);
    const type = headers[":event-type"] ?? headers[":exception-type"];
    return `{${JSON.stringify(type?.value ?? unmodeledError)}:${toUtf8(body) || "{}"}}`;
  } catch {
    return undefined;
  }
}
