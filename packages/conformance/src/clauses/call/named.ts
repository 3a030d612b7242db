import type { Clause } from "../../clause.ts";
import { finishedReply } from "../../harness/inputs.ts";
import { readsFrames } from "../../harness/harness.ts";
import { read, write } from "../../harness/scenarios.ts";

export const named: Clause = {
  id: "call.named",
  rule: "A call without a name does not run, and neither do those beside it.",
  level: "must",
  because: "workbuddy-gateway#3: a stub call with a blank name at the end of a stream",
  async *prove(rig) {
    for (const name of ["", " "]) {
      for (const blocks of [
        [{ ...read, name }],
        [write, { ...read, name }],
        [{ ...read, name }, write],
      ]) {
        const at = `${blocks.length} calls, one of them named ${JSON.stringify(name)}`;
        yield readsFrames(rig, at, {
          frames: finishedReply(rig, blocks),
          expected: "malformed-tool-call, runs nothing",
        });
      }
    }
  },
};
