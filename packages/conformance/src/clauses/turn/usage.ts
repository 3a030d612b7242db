import { render } from "../../harness/bytes.ts";
import type { Clause } from "../../clause.ts";
import { compared } from "../../harness/harness.ts";
import { justText, said } from "../../harness/scenarios.ts";

export const usage: Clause = {
  id: "turn.usage",
  rule: "The output tokens that a reply reports are the turn's, counted once.",
  level: "must",
  because:
    "https://platform.claude.com/docs/en/build-with-claude/streaming: usage is cumulative; adding it up sees caps where none was reached",
  async *prove(rig) {
    for (const { name, reply } of said(rig.wire, [justText])) {
      for (const output of [1, 17, 1023]) {
        const { bytes } = render(rig.wire.frames({ ...reply, output }));
        yield compared(
          {
            at: `${name}, ${output} tokens`,
            expected: `${output}`,
            actual: `${(await rig.ask(bytes)).usage.output}`,
          },
          bytes,
        );
      }
    }
  },
};
