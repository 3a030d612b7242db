import { render } from "../../harness/bytes.ts";
import type { Clause } from "../../clause.ts";
import { withBytes } from "../../harness/harness.ts";
import { textOnly, repliesFor } from "../../harness/scenarios.ts";

export const usage: Clause = {
  id: "turn.usage",
  rule: "The output tokens that a reply reports are the turn's, counted once.",
  level: "must",
  because:
    "https://platform.claude.com/docs/en/build-with-claude/streaming: usage is cumulative; adding it up sees caps where none was reached",
  async *check(harness) {
    for (const { name, reply } of repliesFor(harness.wire, [textOnly])) {
      for (const output of [1, 17, 1023]) {
        const { bytes } = render(harness.wire.frames({ ...reply, output }));
        yield withBytes(
          {
            at: `${name}, ${output} tokens`,
            expected: `${output}`,
            actual: `${(await harness.ask(bytes)).usage.output}`,
          },
          bytes,
        );
      }
    }
  },
};
