import { utf8 } from "../../harness/bytes.ts";
import type { Clause } from "../../clause.ts";
import { outline, expectedTurnOf } from "../../harness/expect.ts";
import { withBytes, checkFrames } from "../../harness/harness.ts";
import { expectOnlyRuns } from "../../loop/checks.ts";
import { scripts } from "../../loop/scripts.ts";
import { repliesFor } from "../../harness/scenarios.ts";

export const whole: Clause = {
  id: "stop.whole",
  rule: "A whole reply reads as what it says, streamed or not: its reason, and every call of it, in order.",
  level: "must",
  because:
    "vercel/workflow#1387: three parallel calls under `stop` were discarded, and the run was called complete",
  run: expectOnlyRuns(scripts.whole),
  async *check(harness) {
    for (const { name, frames, turn } of harness.exchanges)
      yield checkFrames(harness, name, { frames, expected: outline(turn) });
    for (const { name, reply } of repliesFor(harness.wire)) {
      const body = harness.wire.whole?.(reply);
      if (body === undefined) continue;
      const turn = await harness.ask({
        chunks: [utf8(body)],
        headers: { "content-type": "application/json" },
      });
      yield withBytes(
        {
          at: `${name}, not streamed`,
          expected: outline(expectedTurnOf(harness.wire, reply)),
          actual: outline(turn),
        },
        utf8(body),
      );
    }
  },
};
