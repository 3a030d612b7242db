import { render } from "../../harness/bytes.ts";
import type { Clause } from "../../clause.ts";
import { outline, expectedTurnOf } from "../../harness/expect.ts";
import { withBytes } from "../../harness/harness.ts";
import { callShapes, repliesFor } from "../../harness/scenarios.ts";
import { cap } from "../../harness/tokens.ts";

export const capUnproven: Clause = {
  id: "stop.cap-unproven",
  rule: "On a host that is known to call a cut reply whole, calls run only where a usage below a cap proves that it was not.",
  level: "must",
  because:
    "vllm#53269: cut calls come closed, under the word for calls; without a cap to compare with nobody can tell. LocalAI#9927: a usage of 0 counts nothing",
  async *check(harness) {
    for (const { name, reply } of repliesFor(harness.wire, callShapes)) {
      const { bytes } = render(harness.wire.frames(reply));
      if (!harness.adapter.capRequired) {
        const without = await harness.ask(bytes, {
          request: { maxTokens: undefined },
          adapter: { mislabelsTruncation: true, maxTokens: {} },
        });
        yield withBytes(
          {
            at: `${name}, no cap known`,
            expected: "length, runs nothing",
            actual: outline(without),
          },
          bytes,
        );
      }
      const uncounted = render(harness.wire.frames({ ...reply, output: 0 })).bytes;
      const zero = await harness.ask(uncounted, { adapter: { mislabelsTruncation: true } });
      yield withBytes(
        { at: `${name}, a usage of 0`, expected: "length, runs nothing", actual: outline(zero) },
        uncounted,
      );
      const below = await harness.ask(bytes, { adapter: { mislabelsTruncation: true } });
      yield withBytes(
        {
          at: `${name}, a cap of ${cap}`,
          expected: outline(expectedTurnOf(harness.wire, reply)),
          actual: outline(below),
        },
        bytes,
      );
    }
  },
};
