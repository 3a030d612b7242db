import type { Turn } from "@fullstop/core";
import { render } from "../../harness/bytes.ts";
import type { Clause } from "../../clause.ts";
import { outline, expectedTurnOf } from "../../harness/expect.ts";
import { withBytes, type Harness } from "../../harness/harness.ts";
import { callShapes, textOnly, repliesFor } from "../../harness/scenarios.ts";

/** How long a sound reader waits here, which is never long enough: what it must say does not depend on it. Asked of every byte, it is longer than readers linger. */
const idleMs = ({ exhaustive }: Harness): number => (exhaustive ? 3000 : 25);

const isFinished = ({ stopReason }: Turn): boolean =>
  stopReason === "stop" || stopReason === "tool-use";
const allOrNone = "all of it, or nothing";

export const openStream: Clause = {
  id: "stop.open-stream",
  rule: "If a protocol ends only with its stream, silence after a native stop reason proves nothing: a stream that stays open is not a finished reply, and a stream that goes on is read on.",
  level: "must",
  because:
    "0xPlaygrounds/rig#2328: Gemini sends a `STOP` in the middle of a reply, and goes on once its own tool has run",
  whyNotAsked: ({ wire }) => (wire.ends ? "the terminal is the protocol's own end" : undefined),
  async *check(harness) {
    const { wire } = harness;
    const [later] = repliesFor(wire, [
      { name: "", blocks: callShapes[3]?.blocks ?? [], stop: "tool-use" },
    ]);
    for (const { name, reply } of repliesFor(wire, [textOnly, ...callShapes.slice(0, 3)])) {
      const first = render({ upToTerminal: wire.frames(reply).upToTerminal }).bytes;
      const silent = await harness.ask(
        { chunks: [first], fault: "stall" },
        { idleMs: idleMs(harness) },
      );
      yield withBytes(
        {
          at: `${name}, and nothing more`,
          expected: "interrupted, runs nothing",
          actual: outline(silent),
        },
        first,
      );
      if (later === undefined) continue;
      const rest = render(wire.frames(later.reply)).bytes;
      const { length } = [
        ...expectedTurnOf(wire, reply).calls,
        ...expectedTurnOf(wire, later.reply).calls,
      ];
      // The rest is sent when the reader asks for more, so that no clock decides.
      const turn = await harness.ask({ chunks: [first, rest] });
      const kept = turn.calls.length === length || !isFinished(turn);
      yield withBytes(
        {
          at: `${name}, and more behind it`,
          expected: allOrNone,
          actual: kept ? allOrNone : outline(turn),
        },
        rest,
      );
    }
  },
};
