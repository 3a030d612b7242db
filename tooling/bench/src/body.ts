import type { Wire } from "@fullstop/conformance";
import { answerEvents } from "@fullstop/conformance/server";

const sliceBytes = 2 ** 14;
const frameType = (frame: string): string | undefined => /^\{"type":"([\w.]+)"/.exec(frame)?.[1];
const eventLine = (type: string | undefined): string =>
  type === undefined ? "" : `event: ${type}\n`;

/** Server-sent events are written here, because the suite keeps the names of all events. */
const writeSse = (frame: string): Buffer =>
  Buffer.from(`${eventLine(frameType(frame))}data: ${frame}\n\n`);

/** The bytes of each event of a reply. */
export const eventsOf = (wire: Wire, frames: readonly string[]): readonly Buffer[] =>
  (wire.framing ?? "sse") === "sse"
    ? frames.map(writeSse)
    : answerEvents(wire, frames).chunks.map((chunk) => Buffer.from(chunk));

/** The body of a reply with these events, in slices as a fast socket has them. */
export function slicesOf(wire: Wire, frames: readonly string[]): readonly Buffer[] {
  const body = Buffer.concat(eventsOf(wire, frames));
  return Array.from({ length: Math.ceil(body.length / sliceBytes) }, (_, at) =>
    body.subarray(at * sliceBytes, (at + 1) * sliceBytes),
  );
}

export const contentTypeOf = (wire: Wire): string => answerEvents(wire, []).headers["content-type"];
