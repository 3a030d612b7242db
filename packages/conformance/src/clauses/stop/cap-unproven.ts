import { render } from "../../harness/bytes.ts";
import type { Clause } from "../../clause.ts";
import { outline, wholeTurn } from "../../harness/expect.ts";
import { compared } from "../../harness/harness.ts";
import { callShapes, said } from "../../harness/scenarios.ts";
import { cap } from "../../harness/tokens.ts";

export const capUnproven: Clause = {
  id: "stop.cap-unproven",
  rule: "On a host that is known to call a cut reply whole, calls run only where a usage below a cap proves that it was not.",
  level: "must",
  because:
    "vllm#53269: cut calls come closed, under the word for calls; without a cap to compare with nobody can tell. LocalAI#9927: a usage of 0 counts nothing",
  async *prove(rig) {
    for (const { name, reply } of said(rig.wire, callShapes)) {
      const { bytes } = render(rig.wire.frames(reply));
      if (!rig.adapter.capRequired) {
        const without = await rig.ask(bytes, {
          request: { maxTokens: undefined },
          adapter: { mislabelsTruncation: true, maxTokens: {} },
        });
        yield compared(
          {
            at: `${name}, no cap known`,
            expected: "length, runs nothing",
            actual: outline(without),
          },
          bytes,
        );
      }
      const uncounted = render(rig.wire.frames({ ...reply, output: 0 })).bytes;
      const zero = await rig.ask(uncounted, { adapter: { mislabelsTruncation: true } });
      yield compared(
        { at: `${name}, a usage of 0`, expected: "length, runs nothing", actual: outline(zero) },
        uncounted,
      );
      const below = await rig.ask(bytes, { adapter: { mislabelsTruncation: true } });
      yield compared(
        {
          at: `${name}, a cap of ${cap}`,
          expected: outline(wholeTurn(rig.wire, reply)),
          actual: outline(below),
        },
        bytes,
      );
    }
  },
};
