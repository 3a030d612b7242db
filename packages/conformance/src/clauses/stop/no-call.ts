import type { Clause } from "../../clause.ts";
import { checkFrames } from "../../harness/harness.ts";
import { fewTokens } from "../../harness/tokens.ts";

export const noCall: Clause = {
  id: "stop.no-call",
  rule: "The word for calls without any call is no finished answer: the model tried to call a tool, and failed.",
  level: "must",
  because: "mastra#14187, pi#9681: such a reply loops or hangs",
  whyNotAsked: ({ wire }) =>
    wire.nativeStops["tool-use"] === undefined ? "the wire has no word for calls" : undefined,
  async *check(harness) {
    const stop = harness.wire.nativeStops["tool-use"] ?? "";
    for (const [at, blocks] of [
      ["no block at all", []],
      ["text only", [{ text: "I will call a tool." }]],
    ] as const) {
      const frames = harness.wire.frames({ blocks, stop, output: fewTokens });
      yield checkFrames(harness, `${at}, under "${stop}"`, {
        frames,
        expected: "malformed-tool-call, runs nothing",
      });
    }
  },
};
