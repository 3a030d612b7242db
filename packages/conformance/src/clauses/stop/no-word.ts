import type { Clause } from "../../clause.ts";
import { readsFrames } from "../../harness/harness.ts";
import { runs } from "../../loop/checks.ts";
import { scripts } from "../../loop/scripts.ts";
import { callShapes, justText } from "../../harness/scenarios.ts";
import { fewTokens } from "../../harness/tokens.ts";

export const noWord: Clause = {
  id: "stop.no-word",
  rule: "An ending without a word is none: the reply is interrupted, and nothing of it runs.",
  level: "must",
  because:
    "workbuddy-gateway#3, cc-switch#5093: hosts send an empty word; NVIDIA NIM (pi#6225) none at all",
  run: runs(scripts.noWord),
  async *prove(rig) {
    for (const stop of ["", "null", " "]) {
      for (const { name, blocks } of [justText, ...callShapes.slice(0, 3)]) {
        const frames = rig.wire.frames({ blocks, stop, output: fewTokens });
        yield readsFrames(rig, `${name}, its word ${JSON.stringify(stop)}`, {
          frames,
          expected: "interrupted, runs nothing",
        });
      }
    }
  },
};
