import { lengths, render, styles } from "../../bytes.ts";
import type { Clause } from "../../clause.ts";
import { outline } from "../../expect.ts";
import { reads } from "../../rig.ts";

export const laterPrefix: Clause = {
  id: "stop.later-prefix",
  rule: "Once its terminal is whole, a reply reads as the whole of it, wherever it then ends, and without its last line ends too.",
  level: "must",
  because: "https://www.npmjs.com/package/@anthropic-ai/sdk 1.12 loses the last event when the blank line behind it is missing",
  async *prove(rig) {
    for (const { name, frames, turn } of rig.exchanges) {
      for (const style of [{}, styles["lines that end in CRLF"], styles["lines that end in CR"]]) {
        const rendered = render(frames, style);
        for (const length of [rendered.whole, ...lengths(rendered, true).filter((n) => n > rendered.whole)]) {
          const bytes = rendered.bytes.subarray(0, length);
          yield reads(rig, `${name}, ${length - rendered.whole} bytes behind its terminal`, { bytes, expected: outline(turn) });
        }
      }
    }
  },
};
