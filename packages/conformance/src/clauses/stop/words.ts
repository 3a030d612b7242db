import { render } from "../../harness/bytes.ts";
import type { Clause } from "../../clause.ts";
import { claimOf, outline, wholeTurn } from "../../harness/expect.ts";
import { compared, readsFrames } from "../../harness/harness.ts";
import { runs } from "../../loop/checks.ts";
import { scripts } from "../../loop/scripts.ts";
import { callShapes, read, tokensUnder } from "../../harness/scenarios.ts";

export const words: Clause = {
  id: "stop.words",
  rule: "Under a word that is not for a finished reply nothing runs, however complete its calls are; under one that is, all of them do.",
  level: "must",
  because: "cursor-byok#423, strands#4139: `has calls` outranked length, filter and refusal",
  run: runs(scripts.words),
  async *prove(rig) {
    const { wire, adapter } = rig;
    for (const { name, blocks } of callShapes) {
      for (const stop of Object.values(wire.nativeStops)) {
        const reply = { blocks, stop, output: tokensUnder(wire, stop) };
        yield readsFrames(rig, `${name}, under "${stop}"`, {
          frames: wire.frames(reply),
          expected: outline(wholeTurn(wire, reply)),
        });
      }
    }
    for (const [stop, claim] of Object.entries(adapter.stops)) {
      if (claim === "stop" || claim === "tool-use" || claimOf(wire, stop) !== "unknown") continue;
      const { bytes } = render(
        wire.frames({ blocks: [read], stop, output: tokensUnder(wire, stop) }),
      );
      const { calls } = await rig.ask(bytes);
      yield compared(
        {
          at: `one call, under "${stop}", a word of the adapter's table alone`,
          expected: "0 calls",
          actual: `${calls.length} calls`,
        },
        bytes,
      );
    }
  },
};
