import { lengths, render } from "../../bytes.ts";
import type { Clause } from "../../clause.ts";
import { cutTurn, outline, wholeTurn } from "../../expect.ts";
import { compared } from "../../rig.ts";
import { callShapes, justText, said } from "../../scenarios.ts";

export const reset: Clause = {
  id: "wire.reset",
  rule: "A connection that breaks before the terminal interrupts the reply; behind it, it can only withhold, never change what runs.",
  level: "must",
  because: "litellm#32159: a connection cut behind a load balancer was passed on as a clean end",
  async *prove(rig) {
    for (const { name, reply } of said(rig.wire, [justText, ...callShapes.slice(0, 4)])) {
      const turn = wholeTurn(rig.wire, reply);
      const rendered = render(rig.wire.frames(reply));
      for (const length of lengths(rendered, false)) {
        const bytes = rendered.bytes.subarray(0, length);
        const actual = await rig.ask({ chunks: [bytes], fault: "reset" });
        const withheld = length < rendered.whole || actual.stopReason === "interrupted";
        const expected = withheld ? cutTurn(turn, actual) : outline(turn);
        yield compared({ at: `${name}, reset after ${length} of ${rendered.whole} bytes`, expected, actual: outline(actual) }, bytes);
      }
    }
  },
};
