import { render } from "../../harness/bytes.ts";
import type { Clause } from "../../clause.ts";
import { outline } from "../../harness/expect.ts";
import { withBytes } from "../../harness/harness.ts";
import { callShapes, textOnly, repliesFor } from "../../harness/scenarios.ts";

/** The reply, with the signal fired once `after` frames have been taken. */
function* fired(
  rendered: ReturnType<typeof render>,
  after: number,
  abort: () => void,
): Generator<Uint8Array<ArrayBuffer>> {
  const { bytes, edges } = rendered;
  for (let n = 0; n < edges.length - 1; n++) {
    if (n === after) abort();
    yield bytes.subarray(edges[n], edges[n + 1]);
  }
  if (after >= edges.length - 1) abort();
}

export const abort: Clause = {
  id: "stop.abort",
  rule: "A reply whose request was aborted runs nothing, wherever it was, its terminal taken or not.",
  level: "must",
  because:
    "prime-agent#346: tools start after Ctrl+C; the openai and anthropic SDKs end silently on abort",
  async *check(harness) {
    for (const { name, reply } of repliesFor(harness.wire, [textOnly, ...callShapes.slice(0, 3)])) {
      const rendered = render(harness.wire.frames(reply));
      for (let after = -1; after < rendered.edges.length; after++) {
        const controller = new AbortController();
        if (after < 0) controller.abort();
        const turn = await harness.ask(
          { chunks: fired(rendered, after, () => controller.abort()) },
          { signal: controller.signal },
        );
        yield withBytes({
          at: `${name}, aborted ${after < 0 ? "before it was sent" : `after ${after} frames`}`,
          expected: "aborted, runs nothing",
          actual: outline(turn),
        });
      }
    }
  },
};
