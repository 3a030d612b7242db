import { render } from "../../harness/bytes.ts";
import type { Clause } from "../../clause.ts";
import { claimedStopOf, outline, expectedTurnOf } from "../../harness/expect.ts";
import { withBytes, checkFrames } from "../../harness/harness.ts";
import { expectOnlyRuns } from "../../loop/checks.ts";
import { scripts } from "../../loop/scripts.ts";
import { callShapes, readCall, tokensForStop } from "../../harness/scenarios.ts";

export const words: Clause = {
  id: "stop.words",
  rule: "Under a word that is not for a finished reply nothing runs, however complete its calls are; under one that is, all of them do.",
  level: "must",
  because: "cursor-byok#423, strands#4139: `has calls` outranked length, filter and refusal",
  run: expectOnlyRuns(scripts.words),
  async *check(harness) {
    const { wire, adapter } = harness;
    for (const { name, blocks } of callShapes) {
      for (const stop of Object.values(wire.nativeStops)) {
        const reply = { blocks, stop, output: tokensForStop(wire, stop) };
        yield checkFrames(harness, `${name}, under "${stop}"`, {
          frames: wire.frames(reply),
          expected: outline(expectedTurnOf(wire, reply)),
        });
      }
    }
    for (const [stop, claim] of Object.entries(adapter.stops)) {
      if (claim === "stop" || claim === "tool-use" || claimedStopOf(wire, stop) !== "unknown")
        continue;
      const { bytes } = render(
        wire.frames({ blocks: [readCall], stop, output: tokensForStop(wire, stop) }),
      );
      const { calls } = await harness.ask(bytes);
      yield withBytes(
        {
          at: `one call, under "${stop}", a word of the adapter's table alone`,
          expected: "0 calls",
          actual: `${calls.length} calls`,
        },
        bytes,
      );
    }
  },
};
