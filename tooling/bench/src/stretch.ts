import type { Frames, Wire } from "@fullstop/conformance";
import type { WorkloadReply } from "./workloads.ts";

/** Markers that are so short that each protocol sends them in one piece. */
const markers: Readonly<Record<WorkloadReply["kind"], string>> = { text: "~", input: "[1]" };

/**
 * A reply of a conformance wire in the wanted pieces. The first frame with the marker is repeated
 * for each piece, and frames that repeat the content contain all of it. If a protocol sends inputs
 * as JSON values, the frame contains the value.
 */
export function stretch(wire: Wire, { kind, pieces }: WorkloadReply): readonly string[] {
  const marker = markers[kind];
  const call = { name: "write", id: "call_1", input: JSON.parse(markers.input) as object };
  const stop = wire.nativeStops[kind === "text" ? "stop" : "tool-use"];
  if (stop === undefined)
    throw new Error(`${wire.name} has no native stop reason for a reply of ${kind}.`);
  const { upToTerminal, after = [] }: Frames = wire.frames({
    blocks: [kind === "text" ? { text: marker } : call],
    stop,
    output: 1000,
  });
  const frames = [...upToTerminal, ...after];
  const quoted = JSON.stringify(marker);
  const whole = pieces.join("");
  const first = frames.findIndex((frame) => frame.includes(quoted));
  if (first < 0) return frames.map((frame) => frame.replace(`:${marker}`, () => `:${whole}`));
  return frames.flatMap((frame, at) =>
    (at === first ? pieces : [whole]).map((piece) =>
      frame.replaceAll(quoted, () => JSON.stringify(piece)),
    ),
  );
}
