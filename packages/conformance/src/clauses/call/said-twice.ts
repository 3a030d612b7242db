import type { Clause } from "../../clause.ts";
import { outline } from "../../harness/expect.ts";
import { finishedReply } from "../../harness/inputs.ts";
import { readsFrames } from "../../harness/harness.ts";
import { read, write } from "../../harness/scenarios.ts";

export const saidTwice: Clause = {
  id: "call.said-twice",
  rule: "One call said twice (same id, name and input) runs once; two calls that differ in any of them both run.",
  level: "must",
  because:
    "new-api#6278: a gateway repeats the call under another index; nanobot#3943: hosts give two calls one id",
  async *prove(rig) {
    const other = { ...read, input: { path: "/srv/other.txt" } };
    const renamed = { ...read, name: "list" };
    const cases = [
      { at: "the same call twice", blocks: [read, read], calls: [read] },
      {
        at: "the same call twice, another between",
        blocks: [read, write, read],
        calls: [read, write],
      },
      { at: "the same id, another input", blocks: [read, other], calls: [read, other] },
      { at: "the same id, another name", blocks: [read, renamed], calls: [read, renamed] },
      {
        at: "the same input, another id",
        blocks: [read, { ...read, id: "call_read_9" }],
        calls: [read, read],
      },
    ];
    for (const { at, blocks, calls } of cases) {
      yield readsFrames(rig, at, {
        frames: finishedReply(rig, blocks),
        expected: outline({ stopReason: "tool-use", calls }),
      });
    }
  },
};
