import type { Clause } from "../../clause.ts";
import { noInputText, written } from "../../harness/inputs.ts";
import { readsFrames } from "../../harness/harness.ts";
import { runs } from "../../loop/checks.ts";
import { scripts } from "../../loop/scripts.ts";
import { read, write } from "../../harness/scenarios.ts";

export const siblings: Clause = {
  id: "call.siblings",
  rule: "Calls of one reply are one plan: when one is unusable, none runs.",
  level: "must",
  because: "pi#6285: one bad call fails the batch, since the calls of a reply depend on each other",
  run: runs(scripts.siblings),
  unless: noInputText,
  async *prove(rig) {
    for (const text of ['{"path":"/sr', "{'path':1}", "[]", "null"]) {
      const first = written(rig, [read, write], text);
      const other = written(rig, [write, read], text);
      for (const frames of [first, other]) {
        if (frames !== undefined)
          yield readsFrames(rig, `a whole call beside one with the input ${text}`, {
            frames,
            expected: "malformed-tool-call, runs nothing",
          });
      }
    }
  },
};
