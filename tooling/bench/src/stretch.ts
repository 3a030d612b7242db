import type { Frames, Wire } from "@fullstop/conformance";
import type { WorkloadReply } from "./workloads.ts";

/** So short that every wire says them in one piece. */
const markers: Readonly<Record<WorkloadReply["kind"], string>> = { text: "~", input: "[1]" };

/**
 * A reply of a conformance wire, said in as many pieces as are wanted: the first frame that holds the marker is said once for each piece,
 * and frames that repeat the whole say the whole. Where a protocol sends inputs as JSON values, that frame holds the value.
 */
export function stretch(wire: Wire, { kind: says, pieces }: WorkloadReply): readonly string[] {
  const marker = markers[says];
  const call = { name: "write", id: "call_1", input: JSON.parse(markers.input) as object };
  const stop = wire.nativeStops[says === "text" ? "stop" : "tool-use"];
  if (stop === undefined) throw new Error(`${wire.name} has no word for a reply of ${says}`);
  const { upToTerminal, after = [] }: Frames = wire.frames({
    blocks: [says === "text" ? { text: marker } : call],
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
