import { render } from "../../harness/bytes.ts";
import type { Clause } from "../../clause.ts";
import { outline } from "../../harness/expect.ts";
import { withBytes } from "../../harness/harness.ts";
import { expectOnlyRuns } from "../../loop/checks.ts";
import { scripts } from "../../loop/scripts.ts";
import { callShapes, textOnly } from "../../harness/scenarios.ts";
import { fewTokens } from "../../harness/tokens.ts";

const invented = ["x_never_heard_of", "STOP", "tool-calls", "constructor", "__proto__", "toString"];

export const unknownWord: Clause = {
  id: "stop.unknown-word",
  rule: "A word that the adapter does not list runs nothing, is called unknown, and is told to the caller.",
  level: "must",
  because:
    "https://platform.claude.com/docs/en/api/versioning: new values may be added to enum-like outputs",
  run: expectOnlyRuns(scripts.unknownWord),
  async *check(harness) {
    for (const stop of invented.filter((word) => !Object.hasOwn(harness.adapter.stops, word))) {
      for (const { name, blocks } of [textOnly, ...callShapes.slice(0, 3)]) {
        const { bytes } = render(harness.wire.frames({ blocks, stop, output: fewTokens }));
        const turn = await harness.ask(bytes);
        const actual = `${outline(turn)}, the word ${turn.native?.stop}`;
        yield withBytes(
          {
            at: `${name}, under "${stop}"`,
            expected: `unknown, runs nothing, the word ${stop}`,
            actual,
          },
          bytes,
        );
      }
    }
  },
};
