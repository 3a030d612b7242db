import { render } from "../../harness/bytes.ts";
import type { Clause } from "../../clause.ts";
import { expectedWhenCut, outline, expectedTurnOf } from "../../harness/expect.ts";
import { withBytes } from "../../harness/harness.ts";
import { callShapes, textOnly, repliesFor } from "../../harness/scenarios.ts";

/** Long enough for the bytes that are there, since those come before any silence; over a socket it may be too short, so that no whole reply is tried there. */
const idleMs = 25;

export const stall: Clause = {
  id: "wire.stall",
  rule: "A connection that falls silent before the terminal is given up after the idle time, and nothing of the reply runs; behind the protocol's own end silence changes nothing.",
  level: "must",
  because:
    "https://github.com/anthropics/anthropic-sdk-typescript#timeouts: the time-out ends with the headers, so a silent body hangs for ever",
  async *check(harness) {
    for (const { name, reply } of repliesFor(harness.wire, [textOnly, ...callShapes.slice(0, 2)])) {
      const turn = expectedTurnOf(harness.wire, reply);
      const { bytes, edges } = render(harness.wire.frames(reply));
      const lasting = harness.wire.ends && !harness.host.usesNetwork;
      for (const length of lasting ? edges : edges.slice(0, -1)) {
        const sent = bytes.subarray(0, length);
        const actual = await harness.ask({ chunks: [sent], fault: "stall" }, { idleMs });
        const expected = length < bytes.length ? expectedWhenCut(turn, actual) : outline(turn);
        yield withBytes(
          { at: `${name}, silent after ${length} bytes`, expected, actual: outline(actual) },
          sent,
        );
      }
    }
  },
};
