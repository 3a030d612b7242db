import type { EventBatches } from "../contract/adapter.ts";
import { parseJson } from "../json/json.ts";
import {
  type AwsMessage,
  createMessageDecoder,
  preludeLength,
  type ReadMessage,
  readPrelude,
  readText,
} from "./aws-message.ts";
import { type BodyReader, defaultMaxBytes, type EventOptions, openBody } from "./body.ts";
import { cutEvent, emptyReply, replyTooLarge, unreadableFrame, unreadableReply } from "./faults.ts";
import {
  createWholeReader,
  decodeText,
  type FrameTarget,
  parseEvent,
  parseFrame,
} from "./text-reader.ts";

/**
 * The native events of an HTTP response that is an AWS event stream, or a JSON body as one event.
 * An event is an object with one member: its type, with the JSON of its payload, as in the unions of
 * the AWS SDK. An exception has its type a second time as `:exception-type`, because its name does
 * not show that it is one. A message of the type `error`, which has no payload, is
 * `{ ":error-code": …, ":error-message": … }`. `parse` gets the text of that object; only without
 * `parse` each payload is parsed once. Other headers are ignored. Throws as `sse` does, and for a
 * message whose CRC or length is wrong.
 * https://smithy.io/2.0/aws/amazon-eventstream.html
 */
export function awsEventStream<Native>(
  response: Response,
  { parse, maxBytes = defaultMaxBytes }: EventOptions<Native> = {},
): Promise<EventBatches<Native>> {
  const toNative = (event: AwsEvent): Native | undefined =>
    parse === undefined ? (toObject(event) as Native) : parseFrame(parse, eventText(event));
  return openBody(response, (add) =>
    createAwsReader({
      parse: parse ?? parseEvent,
      toNative,
      limit: maxBytes,
      onFrame: (native) => native !== undefined && add(native),
    }),
  );
}

interface AwsTarget<Native> extends FrameTarget<Native> {
  toNative(event: AwsEvent): Native | undefined;
}

/** The first byte, which may be that of a byte order mark. No length of a message begins so. */
const jsonStart = /^[\s[{\xef]/;
/** The first byte of a length would be smaller if the message is shorter than 150 MB. */
const mayBeText = (first: number): boolean => first > 8;

function createAwsReader<Native>(target: AwsTarget<Native>): BodyReader {
  let reader: BodyReader | undefined;
  return {
    take(bytes) {
      const [first] = bytes;
      if (first === undefined) return;
      reader ??= jsonStart.test(String.fromCharCode(first))
        ? decodeText(createWholeReader(target), { ignoreBOM: false })
        : createMessageReader(target);
      reader.take(bytes);
    },
    end() {
      if (reader === undefined) throw emptyReply();
      reader.end();
    },
    unread: () => "",
  };
}

/** Reads messages where they lie in a chunk. Only one that began in an earlier chunk is copied. */
function createMessageReader<Native>({ toNative, limit, onFrame }: AwsTarget<Native>): BodyReader {
  const begun = createBuffer();
  const decode = createMessageDecoder();
  let needed = preludeLength;
  let hasEvents = false;
  const measure = (bytes: Uint8Array): number => {
    const { length, payloadLength, fault } = readPrelude(bytes);
    if (fault !== undefined && !hasEvents && mayBeText(bytes[0] ?? 0)) throw notAStream(bytes);
    if (fault !== undefined) throw unreadableFrame(fault);
    if (payloadLength > limit) throw replyTooLarge(limit, "bytes");
    return length;
  };
  const read = (bytes: Uint8Array): void => {
    const event = readEvent(bytes, decode);
    hasEvents = true;
    onFrame(toNative(event), "");
  };
  const readComplete = (bytes: Uint8Array): Uint8Array => {
    let rest = bytes;
    needed = preludeLength;
    while (rest.length >= preludeLength) {
      needed = measure(rest);
      if (rest.length < needed) break;
      read(rest.subarray(0, needed));
      rest = rest.subarray(needed);
      needed = preludeLength;
    }
    return rest;
  };

  return {
    take(chunk) {
      let rest = chunk;
      while (begun.length() > 0 && rest.length > 0) {
        const missing = needed - begun.length();
        begun.add(rest.subarray(0, missing), needed);
        rest = rest.subarray(missing);
        if (begun.length() < needed) return;
        if (needed === preludeLength) needed = measure(begun.bytes());
        else {
          read(begun.bytes());
          begun.clear();
        }
      }
      if (rest.length > 0) begun.add(readComplete(rest), needed);
    },
    end() {
      const bytes = begun.bytes();
      if (bytes.length === 0) return;
      if (!hasEvents && mayBeText(bytes[0] ?? 0)) throw notAStream(bytes);
      throw cutEvent(`${bytes.length} of its ${needed} bytes came`);
    },
    unread: () => "",
  };
}

const notAStream = (bytes: Uint8Array): Error =>
  unreadableReply("a body that is not an AWS event stream", showStart(bytes));

/** The first characters; if they are not text, the first bytes. gzip begins with `1f 8b`. */
function showStart(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(0, 200), {
      stream: true,
    });
  } catch {
    const start = [...bytes.subarray(0, 8)].map((byte) => byte.toString(16).padStart(2, "0"));
    return `it begins with the bytes ${start.join(" ")}`;
  }
}

/** Grows to twice its size when it is full, and not because a length says so. */
function createBuffer() {
  let buffer = new Uint8Array(0);
  let filled = 0;
  return {
    length: (): number => filled,
    /** Not valid after the next `add`. */
    bytes: (): Uint8Array => buffer.subarray(0, filled),
    /** `capacity`: how many bytes it will hold in the end. */
    add(bytes: Uint8Array, capacity: number): void {
      const length = filled + bytes.length;
      if (length > buffer.length) {
        const larger = new Uint8Array(Math.max(length, Math.min(capacity, 2 * length)));
        larger.set(buffer.subarray(0, filled));
        buffer = larger;
      }
      buffer.set(bytes, filled);
      filled = length;
    },
    clear(): void {
      buffer = new Uint8Array(0);
      filled = 0;
    },
  };
}

type AwsEvent =
  | { readonly kind: "event" | "exception"; readonly type: string; readonly payload: string }
  | { readonly kind: "error"; readonly code: string; readonly message: string };

function readEvent(bytes: Uint8Array, decode: ReadMessage): AwsEvent {
  try {
    return eventOf(decode(bytes));
  } catch (cause) {
    throw unreadableFrame(cause instanceof Error ? cause.message : String(cause), cause);
  }
}

function eventOf({ headers, payload }: AwsMessage): AwsEvent {
  const kind = headers.get(":message-type");
  if (kind === "error")
    return {
      kind,
      code: headers.get(":error-code") ?? "",
      message: headers.get(":error-message") ?? "",
    };
  if (kind !== "event" && kind !== "exception")
    throw new Error(`its \`:message-type\` is "${kind ?? ""}"`);
  const type = headers.get(`:${kind}-type`);
  if (type === undefined) throw new Error(`it has no \`:${kind}-type\``);
  return { kind, type, payload: readText(payload) || "{}" };
}

/** The payload is parsed on its own. Otherwise it could add members to the object around it. */
function toObject(event: AwsEvent): object {
  if (event.kind === "error") return { ":error-code": event.code, ":error-message": event.message };
  const { kind, type, payload } = event;
  const value: unknown = parseFrame(parseJson, payload);
  return kind === "exception" ? { [type]: value, ":exception-type": type } : { [type]: value };
}

function eventText(event: AwsEvent): string {
  if (event.kind === "error") return JSON.stringify(toObject(event));
  const { kind, type, payload } = event;
  parseFrame(parseJson, payload);
  const name = JSON.stringify(type);
  return `{${name}:${payload}${kind === "exception" ? `,":exception-type":${name}` : ""}}`;
}
