import type { ClaimedStop } from "@fullstop/core/adapter";
import type { Clause } from "../../clause.ts";
import { outline, wholeTurn } from "../../expect.ts";
import { readsFrames } from "../../rig.ts";
import { callShapes, justText } from "../../scenarios.ts";
import { cap } from "../../tokens.ts";

const finished: readonly ClaimedStop[] = ["tool-use", "stop"];

export const capReached: Clause = {
  id: "stop.cap",
  rule: "A reply that used up the output cap was cut, with calls or without, whatever its native stop reason: it runs nothing and is not a whole answer. One token below the cap, the native stop reason holds.",
  level: "must",
  because:
    "vllm#53269, hermes-agent#108558: a cut at the cap is relabelled as finished; llama.cpp's Responses say `completed` of a text cut in the middle of a sentence, too",
  async *prove(rig) {
    const { wire } = rig;
    for (const stop of finished.flatMap((reason) => wire.nativeStops[reason] ?? [])) {
      for (const { name, blocks } of [...callShapes, justText]) {
        for (const output of [cap - 1, cap, cap + 1]) {
          const reply = { blocks, stop, output };
          const expected = output < cap ? outline(wholeTurn(wire, reply)) : "length, runs nothing";
          yield readsFrames(rig, `${name}, "${stop}" after ${output} of ${cap} tokens`, {
            frames: wire.frames(reply),
            expected,
          });
        }
      }
    }
  },
};
