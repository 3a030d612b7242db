import type { Clause } from "../../clause.ts";
import { checkFrames } from "../../harness/harness.ts";
import { expectOnlyRuns } from "../../loop/checks.ts";
import { scripts } from "../../loop/scripts.ts";
import { callShapes, textOnly } from "../../harness/scenarios.ts";
import { fewTokens } from "../../harness/tokens.ts";

export const noWord: Clause = {
  id: "stop.no-word",
  rule: "An ending without a word is none: the reply is interrupted, and nothing of it runs.",
  level: "must",
  because:
    "workbuddy-gateway#3, cc-switch#5093: hosts send an empty word; NVIDIA NIM (pi#6225) none at all",
  run: expectOnlyRuns(scripts.noWord),
  async *check(harness) {
    for (const stop of ["", "null", " "]) {
      for (const { name, blocks } of [textOnly, ...callShapes.slice(0, 3)]) {
        const frames = harness.wire.frames({ blocks, stop, output: fewTokens });
        yield checkFrames(harness, `${name}, its word ${JSON.stringify(stop)}`, {
          frames,
          expected: "interrupted, runs nothing",
        });
      }
    }
  },
};
