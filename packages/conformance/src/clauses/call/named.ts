import type { Clause } from "../../clause.ts";
import { finishedReply } from "../../harness/inputs.ts";
import { checkFrames } from "../../harness/harness.ts";
import { readCall, writeCall } from "../../harness/scenarios.ts";

export const named: Clause = {
  id: "call.named",
  rule: "A call without a name does not run, and neither do those beside it.",
  level: "must",
  because: "workbuddy-gateway#3: a stub call with a blank name at the end of a stream",
  async *check(harness) {
    for (const name of ["", " "]) {
      for (const blocks of [
        [{ ...readCall, name }],
        [writeCall, { ...readCall, name }],
        [{ ...readCall, name }, writeCall],
      ]) {
        const at = `${blocks.length} calls, one of them named ${JSON.stringify(name)}`;
        yield checkFrames(harness, at, {
          frames: finishedReply(harness, blocks),
          expected: "malformed-tool-call, runs nothing",
        });
      }
    }
  },
};
