import { chunks, render } from "../../harness/bytes.ts";
import type { Clause } from "../../clause.ts";
import { outline } from "../../harness/expect.ts";
import { withBytes } from "../../harness/harness.ts";

export const chunked: Clause = {
  id: "wire.chunks",
  rule: "A reply reads the same whatever pieces the network makes of its bytes, in the middle of a character too.",
  level: "must",
  because:
    "https://html.spec.whatwg.org/multipage/server-sent-events.html: the stream is decoded as one; a split character becomes U+FFFD in a path",
  async *check(harness) {
    for (const { name, frames, turn } of harness.exchanges) {
      const { bytes, edges } = render(frames);
      for (const size of [1, 7]) {
        const actual = await harness.ask({ chunks: chunks(bytes, size) });
        yield withBytes(
          {
            at: `${name}, ${size} bytes at a time`,
            expected: outline(turn),
            actual: outline(actual),
          },
          bytes,
        );
      }
      const framewise = edges.slice(1).map((end, n) => bytes.subarray(edges[n], end));
      const actual = await harness.ask({
        chunks: framewise.flatMap((frame) => [frame, frame.subarray(0, 0)]),
      });
      yield withBytes(
        {
          at: `${name}, frame by frame with empty chunks between`,
          expected: outline(turn),
          actual: outline(actual),
        },
        bytes,
      );
    }
  },
};
