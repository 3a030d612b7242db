import type { Clause } from "../../clause.ts";
import { checkFrames } from "../../harness/harness.ts";
import { callShapes, isReplyCall, repliesFor } from "../../harness/scenarios.ts";

export const closed: Clause = {
  id: "call.closed",
  rule: "Where the protocol closes each call, one that was not closed does not run, though its input reads as whole.",
  level: "must",
  because: "anthropic-sdk-python#1317: a block left open under a normal ending holds half an input",
  whyNotAsked: ({ wire }) =>
    wire.unclosed === undefined ? "the wire has no call that is left open" : undefined,
  async *check(harness) {
    for (const { name, reply } of repliesFor(harness.wire, callShapes)) {
      const frames = harness.wire.unclosed?.({
        ...reply,
        blocks: reply.blocks.filter(isReplyCall),
      });
      if (frames !== undefined)
        yield checkFrames(harness, `${name}, the last of them left open`, {
          frames,
          expected: "malformed-tool-call, runs nothing",
        });
    }
  },
};
