import type { Clause } from "../../clause.ts";
import { noInputText, written } from "../../inputs.ts";
import { readsFrames } from "../../rig.ts";
import { read, write } from "../../scenarios.ts";

export const siblings: Clause = {
  id: "call.siblings",
  rule: "Calls of one reply are one plan: when one is unusable, none runs.",
  level: "must",
  because: "Hermes' TestMixedToolCallsOneDroppedOneComplete; pi#6285 fails the whole batch",
  unless: noInputText,
  async *prove(rig) {
    for (const text of ['{"path":"/sr', "{'path':1}", "[]", "null"]) {
      const first = written(rig, read, text, [write]);
      const last = written(rig, write, text, [read]);
      for (const frames of [first, last]) {
        if (frames !== undefined) yield readsFrames(rig, `a whole call beside one with the input ${text}`, { frames, expected: "malformed-tool-call, runs nothing" });
      }
    }
  },
};
