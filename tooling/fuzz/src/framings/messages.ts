import type { Frame, Layout } from "../bytes.ts";
import { parseAll, parseJsonBody, type Received } from "../received.ts";
import type { Framing } from "./framing.ts";
import { readMessage, type TextHeader, writeMessage } from "./message.ts";

/** The AWS event stream. The codec is the tool's own. */
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
function encodeMessage({ name = "", data }: Frame, layout: Layout): Buffer {
  const headers = headersOf(name, data).filter(
    ([header]) => !layout.tight || header !== ":content-type",
  );
  const payload = name === unmodeledError ? "" : data;
  return writeMessage(
    { headers: layout.names ? headers.toReversed() : headers, others: layout.comments },
    payload,
  );
}

function headersOf(name: string, data: string): readonly TextHeader[] {
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
    const read = readMessage(rest);
    if (read.kind === "incomplete" && !reset) damage = "last";
    if (read.kind === "damaged") damage = "before";
    if (read.kind !== "message") break;
    texts.push(dataOf(read.headers, read.payload));
    rest = rest.subarray(read.length);
  }
  const parsed = parseAll(texts);
  return { ...parsed, damage: parsed.damage === "none" ? damage : "before", whole: false, reset };
}

/** An event as an object with its type as the member. */
function dataOf(headers: ReadonlyMap<string, string>, payload: string): string {
  const name = headers.get(":event-type") ?? headers.get(":exception-type") ?? unmodeledError;
  return `{${JSON.stringify(name)}:${payload === "" ? "{}" : payload}}`;
}
