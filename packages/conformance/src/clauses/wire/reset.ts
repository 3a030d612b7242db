import { render } from "../../harness/bytes.ts";
import type { Clause, Check } from "../../clause.ts";
import { expectedWhenCut, outline, expectedTurnOf } from "../../harness/expect.ts";
import { prefixLengths } from "../../harness/places.ts";
import { withBytes, type Exchange, type Harness } from "../../harness/harness.ts";
import { expectOnlyRuns } from "../../loop/checks.ts";
import { scripts } from "../../loop/scripts.ts";
import { callShapes, textOnly, repliesFor } from "../../harness/scenarios.ts";

export const reset: Clause = {
  id: "wire.reset",
  rule: "A connection that breaks before the protocol's own end interrupts the reply, though a word for a finished one came; behind that end it changes nothing.",
  level: "must",
  because: "litellm#32159: a connection cut behind a load balancer was passed on as a clean end",
  run: expectOnlyRuns(scripts.reset),
  async *check(harness) {
    for (const { name, reply } of repliesFor(harness.wire, [textOnly, ...callShapes.slice(0, 4)]))
      yield* whereverReset(harness, {
        name,
        frames: harness.wire.frames(reply),
        turn: expectedTurnOf(harness.wire, reply),
      });
  },
};

/** The reply, with a connection that breaks at each place in turn. */
export async function* whereverReset(
  harness: Harness,
  { name, frames, turn }: Exchange,
): AsyncGenerator<Check> {
  const rendered = render(frames);
  const ownEnd = harness.wire.ends ? rendered.edges[frames.upToTerminal.length] : undefined;
  const tooEarly =
    ownEnd === undefined && frames.after ? rendered.bytes.length - 2 : rendered.completeLength;
  for (const length of prefixLengths(rendered, { ...harness, exhaustive: false })) {
    const bytes = rendered.bytes.subarray(0, length);
    const actual = await harness.ask({ chunks: [bytes], fault: "reset" });
    const doubtful =
      length < (ownEnd ?? Number.POSITIVE_INFINITY) && actual.stopReason === "interrupted";
    const withheld = length < tooEarly || doubtful;
    const expected = withheld ? expectedWhenCut(turn, actual) : outline(turn);
    yield withBytes(
      {
        at: `${name}, reset after ${length} of ${rendered.completeLength} bytes`,
        expected,
        actual: outline(actual),
      },
      bytes,
    );
  }
}
