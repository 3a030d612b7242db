import { chunks, render, styles } from "../../harness/bytes.ts";
import type { Clause } from "../../clause.ts";
import { outline } from "../../harness/expect.ts";
import { compared, reads } from "../../harness/harness.ts";

export const framing: Clause = {
  id: "wire.framing",
  rule: "Every legal way of writing server-sent events reads the same: line ends, comments, several data lines, no event names.",
  level: "must",
  because:
    "https://html.spec.whatwg.org/multipage/server-sent-events.html; @anthropic-ai/sdk reads nothing of a stream without event names",
  async *prove(rig) {
    const ways = Object.entries(styles);
    for (const [n, { name, frames, turn }] of rig.exchanges.entries()) {
      for (const [m, [way, style]] of ways.entries()) {
        const { bytes } = render(frames, style);
        yield reads(rig, `${name}, ${way}`, { bytes, expected: outline(turn) });
        if (n % ways.length !== m) continue;
        const actual = await rig.ask({ chunks: chunks(bytes, 1) });
        yield compared(
          { at: `${name}, ${way}, byte by byte`, expected: outline(turn), actual: outline(actual) },
          bytes,
        );
      }
    }
  },
};
