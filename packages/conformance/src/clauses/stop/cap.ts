import type { ClaimedStop } from "@fullstop/core";
import type { Clause } from "../../clause.ts";
import { outline, wholeTurn } from "../../expect.ts";
import { cap, readsFrames } from "../../rig.ts";
import { callShapes, justText } from "../../scenarios.ts";

const finished: readonly ClaimedStop[] = ["tool-use", "stop"];

export const capReached: Clause = {
  id: "stop.cap",
  rule: "Calls of a reply that used up the output cap do not run, whatever word it ended with; one token below, they do.",
  level: "must",
  because: "vllm#53269, hermes-agent#108558: a cut at the cap is relabelled as finished",
  async *prove(rig) {
    const { wire } = rig;
    for (const stop of finished.flatMap((reason) => wire.words[reason] ?? [])) {
      for (const { name, blocks } of callShapes) {
        for (const output of [cap - 1, cap, cap + 1]) {
          const reply = { blocks, stop, output };
          const expected = output < cap ? outline(wholeTurn(wire, reply)) : "length, runs nothing";
          yield readsFrames(rig, `${name}, "${stop}" after ${output} of ${cap} tokens`, { frames: wire.frames(reply), expected });
        }
      }
    }
    const stop = wire.words.stop;
    if (stop === undefined) return;
    const frames = wire.frames({ blocks: justText.blocks, stop, output: cap });
    yield readsFrames(rig, `text only, "${stop}" after ${cap} of ${cap} tokens`, { frames, expected: "stop, runs nothing" });
  },
};
