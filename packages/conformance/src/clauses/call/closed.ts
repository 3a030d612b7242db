import type { Clause } from "../../clause.ts";
import { finishedReply } from "../../inputs.ts";
import { closing } from "../../rewrite.ts";
import { readsFrames } from "../../rig.ts";
import { callShapes, fewTokens, isCall } from "../../scenarios.ts";

export const closed: Clause = {
  id: "call.closed",
  rule: "Where the protocol closes each call, one that was not closed does not run, though its input reads as whole.",
  level: "must",
  because: "anthropic-sdk-python#1317: a block left open under a normal ending holds half an input",
  unless: ({ adapter }) => (adapter.completes === "per-turn" ? "the protocol closes no call" : undefined),
  async *prove(rig) {
    for (const { name, blocks } of callShapes) {
      const call = blocks.filter(isCall).at(-1);
      if (call === undefined || Object.keys(call.input).length === 0) continue;
      const frames = finishedReply(rig, blocks.filter(isCall));
      const stop = rig.wire.words["tool-use"] ?? rig.wire.words.stop ?? "";
      const drop = closing(frames, rig.wire.frames({ blocks: [], stop, output: fewTokens }), JSON.stringify(call.input));
      if (drop.length === 0) continue;
      const open = { ...frames, upToTerminal: frames.upToTerminal.filter((_, n) => !drop.includes(n)) };
      yield readsFrames(rig, `${name}, the last of them left open`, { frames: open, expected: "malformed-tool-call, runs nothing" });
    }
  },
};
