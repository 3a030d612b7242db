import { awsFraming } from "./aws.ts";
import type { Bytes, Framing, FramingName } from "./framing.ts";
import { ndjsonFraming } from "./ndjson.ts";
import { sseFraming } from "./sse.ts";

const framings: Readonly<Record<FramingName, Framing>> = {
  sse: sseFraming,
  ndjson: ndjsonFraming,
  aws: awsFraming,
};

export interface Framed {
  readonly framing?: FramingName;
}

/** The framing of a wire: server-sent events if it names none. */
export const framingOf = ({ framing = "sse" }: Framed): Framing => framings[framing];

/**
 * The answer with these events, as a server of the wire sends them: each in a chunk of its own.
 * `events` are the data of a reply, such as `upToTerminal` and `after` of `wire.frames(reply)`.
 */
export function answerEvents(
  wire: Framed,
  events: readonly string[],
): { readonly headers: Framing["headers"]; readonly chunks: readonly Bytes[] } {
  const { headers, usual } = framingOf(wire);
  return { headers, chunks: events.map((data, index) => usual.write(data, index)) };
}
