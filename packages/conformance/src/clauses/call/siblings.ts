import type { Clause } from "../../clause.ts";
import { whyNoInputText, withInputText } from "../../harness/inputs.ts";
import { checkFrames } from "../../harness/harness.ts";
import { expectOnlyRuns } from "../../loop/checks.ts";
import { scripts } from "../../loop/scripts.ts";
import { readCall, writeCall } from "../../harness/scenarios.ts";

export const siblings: Clause = {
  id: "call.siblings",
  rule: "Calls of one reply are one plan: when one is unusable, none runs.",
  level: "must",
  because: "pi#6285: one bad call fails the batch, since the calls of a reply depend on each other",
  run: expectOnlyRuns(scripts.siblings),
  whyNotAsked: whyNoInputText,
  async *check(harness) {
    for (const text of ['{"path":"/sr', "{'path':1}", "[]", "null"]) {
      const first = withInputText(harness, [readCall, writeCall], text);
      const other = withInputText(harness, [writeCall, readCall], text);
      for (const frames of [first, other]) {
        if (frames !== undefined)
          yield checkFrames(harness, `a whole call beside one with the input ${text}`, {
            frames,
            expected: "malformed-tool-call, runs nothing",
          });
      }
    }
  },
};
