import type { Clause } from "../../clause.ts";
import { inserted } from "../../rewrite.ts";
import { readsFrames } from "../../rig.ts";
import { runs } from "../../run/proofs.ts";
import { scripts } from "../../run/scripts.ts";
import { callShapes, justText, said } from "../../scenarios.ts";

export const malformedFrame: Clause = {
  id: "wire.malformed-frame",
  rule: "A frame that cannot be read is a hole in the reply: it is interrupted, and nothing of it runs.",
  level: "must",
  because: "litellm#32686: pieces were lost on the way, and the rest was delivered as a success",
  run: runs(scripts.tornFrame),
  async *prove(rig) {
    for (const { name, reply } of said(rig.wire, [justText, ...callShapes.slice(0, 4)])) {
      const frames = rig.wire.frames(reply);
      const expected = "interrupted, runs nothing";
      for (let at = 0; at < frames.upToTerminal.length; at++) {
        const payload = frames.upToTerminal[at] ?? "";
        const torn = payload.slice(0, Math.ceil(payload.length / 2));
        const replaced = { ...frames, upToTerminal: frames.upToTerminal.with(at, torn) };
        yield readsFrames(rig, `${name}, event ${at} torn`, { frames: replaced, expected });
        yield readsFrames(rig, `${name}, a page before event ${at}`, {
          frames: inserted(frames, at, "<html>Bad gateway</html>"),
          expected,
        });
      }
    }
  },
};
