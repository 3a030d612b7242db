import { EventStreamCodec } from "@smithy/core/event-streams";
import { fromUtf8, toUtf8 } from "@smithy/core/serde";
import type { Fields } from "./events.ts";

/** The SDK's own writer of messages. */
const codec = new EventStreamCodec(toUtf8, fromUtf8);

/** The bytes of an event, as the SDK writes them. */
export function messageBytes(event: Fields): Uint8Array<ArrayBuffer> {
  const [[type = "", payload] = []] = Object.entries(event);
  return encode(type, payload, type.endsWith("Exception") ? "exception" : "event");
}

/** The bytes of an exception, also of one whose name does not end in `Exception`. */
export const exceptionBytes = (name: string, payload: unknown): Uint8Array<ArrayBuffer> =>
  encode(name, payload, "exception");

function encode(
  type: string,
  payload: unknown,
  kind: "event" | "exception",
): Uint8Array<ArrayBuffer> {
  const headers = {
    [`:${kind}-type`]: type,
    ":content-type": "application/json",
    ":message-type": kind,
  };
  return Uint8Array.from(
    codec.encode({
      headers: Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name, { type: "string", value }]),
      ),
      body: fromUtf8(JSON.stringify(payload)),
    }),
  );
}

export const eventStreamHeaders: Readonly<Record<string, string>> = {
  "content-type": "application/vnd.amazon.eventstream",
};

/** A response with these events. */
export const eventResponse = (events: readonly Fields[]): Response =>
  new Response(new Blob(events.map(messageBytes)), { headers: eventStreamHeaders });
