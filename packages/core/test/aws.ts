import { EventStreamCodec } from "@smithy/core/event-streams";
import { fromUtf8, toUtf8 } from "@smithy/core/serde";
import { bytesOf } from "./stream.ts";

/** The AWS SDK's own writer and reader of messages. */
export const sdkCodec: EventStreamCodec = new EventStreamCodec(toUtf8, fromUtf8);
export type SdkHeaders = Parameters<EventStreamCodec["encode"]>[0]["headers"];

export const textHeaders = (values: Readonly<Record<string, string>>): SdkHeaders =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, { type: "string" as const, value }]),
  );

/** A message that the SDK wrote. */
export const message = (
  headers: Readonly<Record<string, string>>,
  payload: string | Uint8Array = "",
  more: SdkHeaders = {},
): Uint8Array =>
  sdkCodec.encode({
    headers: { ...more, ...textHeaders(headers) },
    body: typeof payload === "string" ? bytesOf(payload) : payload,
  });

export const event = (type: string, payload: string | Uint8Array): Uint8Array =>
  message(
    { ":event-type": type, ":content-type": "application/json", ":message-type": "event" },
    payload,
  );

export const joined = (parts: readonly Uint8Array[]): Uint8Array => Buffer.concat(parts);
