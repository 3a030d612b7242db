import { utf8 } from "../../bytes.ts";
import type { Clause } from "../../clause.ts";
import { outline, wholeTurn } from "../../expect.ts";
import { checkTurn } from "../../fixtures/check.ts";
import { compared } from "../../rig.ts";
import { runs } from "../../run/proofs.ts";
import { scripts } from "../../run/scripts.ts";
import { said } from "../../scenarios.ts";

export const whole: Clause = {
  id: "stop.whole",
  rule: "A whole reply reads as what it says, streamed or not: its reason, and every call of it, in order.",
  level: "must",
  because:
    "vercel/workflow#1387: three parallel calls under `stop` were discarded, and the run was called complete",
  run: runs(scripts.whole),
  async *prove(rig) {
    for (const exchange of rig.exchanges) yield* checkTurn(rig, exchange);
    for (const { name, reply } of said(rig.wire)) {
      const body = rig.wire.whole?.(reply);
      if (body === undefined) continue;
      const turn = await rig.ask({
        chunks: [utf8(body)],
        headers: { "content-type": "application/json" },
      });
      yield compared(
        {
          at: `${name}, not streamed`,
          expected: outline(wholeTurn(rig.wire, reply)),
          actual: outline(turn),
        },
        utf8(body),
      );
    }
  },
};
