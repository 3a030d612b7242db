import { render } from "../../bytes.ts";
import type { Check, Clause } from "../../clause.ts";
import { errorKind, outline } from "../../expect.ts";
import { inserted } from "../../rewrite.ts";
import { compared, type Harness } from "../../rig.ts";
import { runs } from "../../run/proofs.ts";
import { scripts } from "../../run/scripts.ts";
import { callShapes, justText, said } from "../../scenarios.ts";
import type { Frames } from "../../wire.ts";

async function unreadable(rig: Harness, at: string, frames: Frames): Promise<Check> {
  const { bytes } = render(frames);
  const turn = await rig.ask(bytes);
  return compared(
    {
      at,
      expected: "interrupted, runs nothing, malformed-reply",
      actual: `${outline(turn)}, ${errorKind(turn)}`,
    },
    bytes,
  );
}

export const malformedFrame: Clause = {
  id: "wire.malformed-frame",
  rule: "A frame that cannot be read is a hole in the reply: it is interrupted for that reason, and nothing of it runs.",
  level: "must",
  because: "litellm#32686: pieces were lost on the way, and the rest was delivered as a success",
  run: runs(scripts.tornFrame),
  async *prove(rig) {
    for (const { name, reply } of said(rig.wire, [justText, ...callShapes.slice(0, 4)])) {
      const frames = rig.wire.frames(reply);
      for (let at = 0; at < frames.upToTerminal.length; at++) {
        const payload = frames.upToTerminal[at] ?? "";
        const torn = payload.slice(0, Math.ceil(payload.length / 2));
        const replaced = { ...frames, upToTerminal: frames.upToTerminal.with(at, torn) };
        yield unreadable(rig, `${name}, event ${at} torn`, replaced);
        yield unreadable(
          rig,
          `${name}, a page before event ${at}`,
          inserted(frames, at, "<html>Bad gateway</html>"),
        );
      }
    }
  },
};
