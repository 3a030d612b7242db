import type { Clause } from "../../clause.ts";
import { readsFrames } from "../../harness/harness.ts";
import { callShapes, isCall, said } from "../../harness/scenarios.ts";

export const closed: Clause = {
  id: "call.closed",
  rule: "Where the protocol closes each call, one that was not closed does not run, though its input reads as whole.",
  level: "must",
  because: "anthropic-sdk-python#1317: a block left open under a normal ending holds half an input",
  unless: ({ wire }) =>
    wire.unclosed === undefined ? "the wire has no call that is left open" : undefined,
  async *prove(rig) {
    for (const { name, reply } of said(rig.wire, callShapes)) {
      const frames = rig.wire.unclosed?.({ ...reply, blocks: reply.blocks.filter(isCall) });
      if (frames !== undefined)
        yield readsFrames(rig, `${name}, the last of them left open`, {
          frames,
          expected: "malformed-tool-call, runs nothing",
        });
    }
  },
};
