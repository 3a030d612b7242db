import { chunks, render, sseStyles } from "../../harness/bytes.ts";
import type { Clause } from "../../clause.ts";
import { outline } from "../../harness/expect.ts";
import { withBytes, checkBytes } from "../../harness/harness.ts";

export const framing: Clause = {
  id: "wire.framing",
  rule: "Every legal way of writing server-sent events reads the same: line ends, comments, several data lines, no event names.",
  level: "must",
  because:
    "https://html.spec.whatwg.org/multipage/server-sent-events.html; @anthropic-ai/sdk reads nothing of a stream without event names",
  async *check(harness) {
    const ways = Object.entries(sseStyles);
    for (const [n, { name, frames, turn }] of harness.exchanges.entries()) {
      for (const [m, [way, style]] of ways.entries()) {
        const { bytes } = render(frames, style);
        yield checkBytes(harness, `${name}, ${way}`, { bytes, expected: outline(turn) });
        if (n % ways.length !== m) continue;
        const actual = await harness.ask({ chunks: chunks(bytes, 1) });
        yield withBytes(
          { at: `${name}, ${way}, byte by byte`, expected: outline(turn), actual: outline(actual) },
          bytes,
        );
      }
    }
  },
};
