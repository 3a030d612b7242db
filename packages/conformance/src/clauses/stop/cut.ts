import { commonPrefixLength, render } from "../../harness/bytes.ts";
import type { Clause } from "../../clause.ts";
import { expectedWhenCut, outline } from "../../harness/expect.ts";
import { prefixLengths } from "../../harness/places.ts";
import { withBytes } from "../../harness/harness.ts";
import { expectOnlyRuns } from "../../loop/checks.ts";
import { scripts } from "../../loop/scripts.ts";

export const cut: Clause = {
  id: "stop.cut",
  rule: "A reply that ends before its terminal is whole runs nothing, and is no finished answer.",
  level: "must",
  because:
    "OpenRouterTeam/ai-sdk-provider#558: an early end of file became a successful empty call",
  run: expectOnlyRuns(scripts.cut),
  async *check(harness) {
    const tried: Uint8Array[] = [];
    for (const { name, frames, turn } of harness.exchanges) {
      const rendered = render(frames);
      const known = commonPrefixLength(rendered.bytes, tried);
      tried.push(rendered.bytes.subarray(0, rendered.completeLength - 1));
      for (const length of prefixLengths(rendered, harness)) {
        if (length >= rendered.completeLength) break;
        if (length <= known) continue;
        const bytes = rendered.bytes.subarray(0, length);
        const actual = await harness.ask(bytes);
        yield withBytes(
          {
            at: `${name}, cut after ${length} of ${rendered.completeLength} bytes`,
            expected: expectedWhenCut(turn, actual),
            actual: outline(actual),
          },
          bytes,
        );
      }
    }
  },
};
