import type { Clause } from "../../clause.ts";
import { outline } from "../../harness/expect.ts";
import { finishedReply } from "../../harness/inputs.ts";
import { checkFrames } from "../../harness/harness.ts";
import { readCall, writeCall } from "../../harness/scenarios.ts";

export const saidTwice: Clause = {
  id: "call.said-twice",
  rule: "One call said twice (same id, name and input) runs once; two calls that differ in any of them both run.",
  level: "must",
  because:
    "new-api#6278: a gateway repeats the call under another index; nanobot#3943: hosts give two calls one id",
  async *check(harness) {
    const other = { ...readCall, input: { path: "/srv/other.txt" } };
    const renamed = { ...readCall, name: "list" };
    const cases = [
      { at: "the same call twice", blocks: [readCall, readCall], calls: [readCall] },
      {
        at: "the same call twice, another between",
        blocks: [readCall, writeCall, readCall],
        calls: [readCall, writeCall],
      },
      { at: "the same id, another input", blocks: [readCall, other], calls: [readCall, other] },
      { at: "the same id, another name", blocks: [readCall, renamed], calls: [readCall, renamed] },
      {
        at: "the same input, another id",
        blocks: [readCall, { ...readCall, id: "call_read_9" }],
        calls: [readCall, readCall],
      },
    ];
    for (const { at, blocks, calls } of cases) {
      yield checkFrames(harness, at, {
        frames: finishedReply(harness, blocks),
        expected: outline({ stopReason: "tool-use", calls }),
      });
    }
  },
};
