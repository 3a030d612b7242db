import { render } from "../../harness/bytes.ts";
import type { Clause, Check } from "../../clause.ts";
import { errorKindOf, outline } from "../../harness/expect.ts";
import { insertFrame } from "../../harness/mutate.ts";
import { withBytes, type Harness } from "../../harness/harness.ts";
import { expectOnlyRuns } from "../../loop/checks.ts";
import { scripts } from "../../loop/scripts.ts";
import { callShapes, textOnly, repliesFor } from "../../harness/scenarios.ts";
import type { Frames } from "../../wire.ts";

async function unreadable(harness: Harness, at: string, frames: Frames): Promise<Check> {
  const { bytes } = render(frames);
  const turn = await harness.ask(bytes);
  return withBytes(
    {
      at,
      expected: "interrupted, runs nothing, malformed-reply",
      actual: `${outline(turn)}, ${errorKindOf(turn)}`,
    },
    bytes,
  );
}

export const malformedFrame: Clause = {
  id: "wire.malformed-frame",
  rule: "A frame that cannot be read is a hole in the reply: it is interrupted for that reason, and nothing of it runs.",
  level: "must",
  because: "litellm#32686: pieces were lost on the way, and the rest was delivered as a success",
  run: expectOnlyRuns(scripts.tornFrame),
  async *check(harness) {
    for (const { name, reply } of repliesFor(harness.wire, [textOnly, ...callShapes.slice(0, 4)])) {
      const frames = harness.wire.frames(reply);
      for (let at = 0; at < frames.upToTerminal.length; at++) {
        const payload = frames.upToTerminal[at] ?? "";
        const torn = payload.slice(0, Math.ceil(payload.length / 2));
        const replaced = { ...frames, upToTerminal: frames.upToTerminal.with(at, torn) };
        yield unreadable(harness, `${name}, event ${at} torn`, replaced);
        yield unreadable(
          harness,
          `${name}, a page before event ${at}`,
          insertFrame(frames, at, "<html>Bad gateway</html>"),
        );
      }
    }
  },
};
