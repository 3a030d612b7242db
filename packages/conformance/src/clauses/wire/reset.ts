import { render } from "../../bytes.ts";
import type { Check, Clause } from "../../clause.ts";
import { cutTurn, outline, wholeTurn } from "../../expect.ts";
import { lengths } from "../../places.ts";
import { compared, type Exchange, type Harness } from "../../rig.ts";
import { runs } from "../../run/proofs.ts";
import { scripts } from "../../run/scripts.ts";
import { callShapes, justText, said } from "../../scenarios.ts";

export const reset: Clause = {
  id: "wire.reset",
  rule: "A connection that breaks before the protocol's own end interrupts the reply, though a word for a finished one came; behind that end it changes nothing.",
  level: "must",
  because: "litellm#32159: a connection cut behind a load balancer was passed on as a clean end",
  run: runs(scripts.reset),
  async *prove(rig) {
    for (const { name, reply } of said(rig.wire, [justText, ...callShapes.slice(0, 4)]))
      yield* whereverReset(rig, {
        name,
        frames: rig.wire.frames(reply),
        turn: wholeTurn(rig.wire, reply),
      });
  },
};

/** The reply, with a connection that breaks at each place in turn. */
export async function* whereverReset(
  rig: Harness,
  { name, frames, turn }: Exchange,
): AsyncGenerator<Check> {
  const rendered = render(frames);
  const ownEnd = rig.wire.ends ? rendered.edges[frames.upToTerminal.length] : undefined;
  const tooEarly =
    ownEnd === undefined && frames.after ? rendered.bytes.length - 2 : rendered.whole;
  for (const length of lengths(rendered, { ...rig, exhaustive: false })) {
    const bytes = rendered.bytes.subarray(0, length);
    const actual = await rig.ask({ chunks: [bytes], fault: "reset" });
    const doubtful =
      length < (ownEnd ?? Number.POSITIVE_INFINITY) && actual.stopReason === "interrupted";
    const withheld = length < tooEarly || doubtful;
    const expected = withheld ? cutTurn(turn, actual) : outline(turn);
    yield compared(
      {
        at: `${name}, reset after ${length} of ${rendered.whole} bytes`,
        expected,
        actual: outline(actual),
      },
      bytes,
    );
  }
}
