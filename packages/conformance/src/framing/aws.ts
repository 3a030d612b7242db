import { isObject, tryParseJson } from "../harness/json.ts";
import {
  type AwsHeader,
  type AwsMessage,
  messageHead,
  readMessageAt,
  textHeader,
  writeMessage,
} from "./aws-message.ts";
import {
  type Bytes,
  type FrameStyle,
  type Framing,
  firstHalf,
  joinBytes,
  utf8,
} from "./framing.ts";

interface Content {
  readonly headers: readonly AwsHeader[];
  readonly payload: string;
}

type Kind = "event" | "exception";
const withPayload = (type: string, payload: string, kind: Kind = "event"): Content => ({
  headers: [
    textHeader(`:${kind}-type`, type),
    textHeader(":content-type", "application/json"),
    textHeader(":message-type", kind),
  ],
  payload,
});

/** An object with one member: its name, and the text of its value. */
const oneMember = /^\s*\{\s*"([^"\\]+)"\s*:([\s\S]*)\}\s*$/;
const tornMember = /^\{"([^"\\]+)":([\s\S]+)$/;
const unreadable = "x_unreadable";

/**
 * What a message says. The data of an event is an object with its type as the member, as in the
 * unions of the AWS SDK. An exception has its type a second time as `:exception-type`. An object with
 * an `:error-code` is an error. Other members have no place in a message.
 */
function contentOf(data: string): Content {
  const value = tryParseJson(data);
  if (!isObject(value)) {
    const [, type = unreadable, payload = data] = tornMember.exec(data) ?? [];
    return withPayload(type, payload);
  }
  const code = value[":error-code"];
  if (code !== undefined)
    return {
      headers: [
        textHeader(":message-type", "error"),
        textHeader(":error-code", String(code)),
        textHeader(":error-message", String(value[":error-message"])),
      ],
      payload: "",
    };
  const exception = value[":exception-type"];
  if (typeof exception === "string")
    return withPayload(exception, JSON.stringify(value[exception] ?? {}), "exception");
  const [first = unreadable, ...others] = Object.keys(value);
  const [, type, payload] = oneMember.exec(data) ?? [];
  return others.length === 0 && type !== undefined && payload !== undefined
    ? withPayload(type, payload.trim())
    : withPayload(first, JSON.stringify(value[first] ?? {}));
}

type ChangeHeaders = (headers: readonly AwsHeader[]) => readonly AwsHeader[];
const styleWith = (change: ChangeHeaders): FrameStyle => ({
  tailLength: 0,
  write: (data) => {
    const { headers, payload } = contentOf(data);
    return writeMessage(change(headers), utf8(payload));
  },
});

const bytesOfLength = (length: number): Bytes =>
  Uint8Array.from({ length }, (_, index) => (index * 41 + 7) & 255);
/** A header of each type. Their names and values look like those that count. */
const otherHeaders: readonly AwsHeader[] = [
  { name: "x_true", type: 0, value: bytesOfLength(0) },
  { name: "x_false", type: 1, value: bytesOfLength(0) },
  { name: "x_byte", type: 2, value: bytesOfLength(1) },
  { name: "x_short", type: 3, value: bytesOfLength(2) },
  { name: "x_integer", type: 4, value: bytesOfLength(4) },
  { name: "x_long", type: 5, value: bytesOfLength(8) },
  { name: "x_bytes", type: 6, value: textHeader("", ":event-type").value },
  textHeader("x_text", "{\u00e6: \u{1f9ca}}"),
  { name: "x_time", type: 8, value: bytesOfLength(8) },
  { name: "x_uuid", type: 9, value: bytesOfLength(16) },
];

const usualMessage = styleWith((headers) => headers);

const withByte = (bytes: Bytes, at: number): Bytes => {
  const place = at < 0 ? bytes.length + at : at;
  return bytes.with(place, (bytes[place] ?? 0) ^ 0x55) as Bytes;
};
const damaged =
  (change: (bytes: Bytes) => Bytes) =>
  (data: string): Bytes =>
    change(usualMessage.write(data, 0));

export function dataOfMessage({ headers, payload }: AwsMessage): string {
  const code = headers.get(":error-code");
  if (code !== undefined)
    return JSON.stringify({ ":error-code": code, ":error-message": headers.get(":error-message") });
  const exception = headers.get(":exception-type");
  const type = JSON.stringify(exception ?? headers.get(":event-type") ?? unreadable);
  const mark = exception === undefined ? "" : `,":exception-type":${type}`;
  return `{${type}:${new TextDecoder().decode(payload)}${mark}}`;
}

/** The complete messages of a body, and the bytes after them. */
export function readMessages(bytes: Uint8Array): {
  readonly messages: readonly AwsMessage[];
  readonly rest: Uint8Array;
} {
  const messages: AwsMessage[] = [];
  let rest = bytes;
  for (;;) {
    const message = readMessageAt(rest);
    if (message === undefined) return { messages, rest };
    messages.push(message);
    rest = rest.subarray(message.length);
  }
}

/** The AWS event stream: binary messages with checksums. */
export const awsFraming: Framing = {
  headers: { "content-type": "application/vnd.amazon.eventstream" },
  usual: usualMessage,
  ends: [usualMessage],
  styles: {
    "headers in another order": styleWith((headers) => headers.toReversed()),
    "headers of all types before the others": styleWith((headers) => [...otherHeaders, ...headers]),
    "headers of all types after the others": styleWith((headers) => [...headers, ...otherHeaders]),
    "no content type": styleWith((headers) =>
      headers.filter(({ name }) => name !== ":content-type"),
    ),
  },
  // Inside of the length, and behind the prelude.
  innerCuts: [2, 8, 12],
  damages: {
    torn: (data) => usualMessage.write(firstHalf(data), 0),
    "with a wrong CRC of its prelude": damaged((bytes) => withByte(bytes, 8)),
    "with a wrong CRC": damaged((bytes) => withByte(bytes, -1)),
    "with a changed byte in its payload": damaged((bytes) => withByte(bytes, -6)),
    "without the first byte of its prelude": damaged((bytes) => bytes.slice(1)),
    "with a length that is too small": (data) => {
      const { headers, payload } = contentOf(data);
      return writeMessage(headers, utf8(payload), -1);
    },
  },
  emptyBodies: {
    "only a half prelude": Uint8Array.of(0, 0, 0, 90, 0, 0),
    "only the end of a stream of server-sent events": utf8("data: [DONE]\n\n"),
  },
  foreignEnds: [],
  namesEvents: true,
  exceptions: ([first = ""]) =>
    ["InternalFailure", ...Object.keys(JSON.parse(first) as object)].map((type) =>
      JSON.stringify({ [type]: { message: "It broke." }, ":exception-type": type }),
    ),
  read: (bytes) => {
    const { messages, rest } = readMessages(bytes);
    return { events: messages.map(dataOfMessage), rest };
  },
  rewrite: (bytes, change) => {
    const { messages, rest } = readMessages(bytes);
    const changed = messages.map((message) =>
      usualMessage.write(change(dataOfMessage(message)), 0),
    );
    return joinBytes([...changed, rest]);
  },
  splitAt: (data, marker, length) => {
    const { headers, payload } = contentOf(data);
    const [before = "", after = ""] = payload.split(marker);
    const parts = [utf8(before), utf8(after)] as const;
    const head = messageHead(headers, parts[0].length + length + parts[1].length);
    // Four bytes follow in the place of the CRC. No reader should come so far.
    return [joinBytes([head, parts[0]]), joinBytes([parts[1], new Uint8Array(4)])];
  },
};
