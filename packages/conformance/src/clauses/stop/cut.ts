import { inCommon, render } from "../../harness/bytes.ts";
import type { Clause } from "../../clause.ts";
import { cutTurn, outline } from "../../harness/expect.ts";
import { lengths } from "../../harness/places.ts";
import { compared } from "../../harness/harness.ts";
import { runs } from "../../loop/checks.ts";
import { scripts } from "../../loop/scripts.ts";

export const cut: Clause = {
  id: "stop.cut",
  rule: "A reply that ends before its terminal is whole runs nothing, and is no finished answer.",
  level: "must",
  because:
    "OpenRouterTeam/ai-sdk-provider#558: an early end of file became a successful empty call",
  run: runs(scripts.cut),
  async *prove(rig) {
    const tried: Uint8Array[] = [];
    for (const { name, frames, turn } of rig.exchanges) {
      const rendered = render(frames);
      const known = inCommon(rendered.bytes, tried);
      tried.push(rendered.bytes.subarray(0, rendered.whole - 1));
      for (const length of lengths(rendered, rig)) {
        if (length >= rendered.whole) break;
        if (length <= known) continue;
        const bytes = rendered.bytes.subarray(0, length);
        const actual = await rig.ask(bytes);
        yield compared(
          {
            at: `${name}, cut after ${length} of ${rendered.whole} bytes`,
            expected: cutTurn(turn, actual),
            actual: outline(actual),
          },
          bytes,
        );
      }
    }
  },
};
