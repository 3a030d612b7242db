import { render } from "../../harness/bytes.ts";
import type { Clause } from "../../clause.ts";
import { outline } from "../../harness/expect.ts";
import { withBytes, checkFrames } from "../../harness/harness.ts";
import { callShapes, repliesFor } from "../../harness/scenarios.ts";

export const contentAfter: Clause = {
  id: "stop.content-after",
  rule: "Content behind an ending un-says it: a second reply that begins there makes nothing of the first run, before the protocol's own end.",
  level: "must",
  because:
    "litellm#2195, jcode#1326: hosts that put `stop` on every chunk, cut between two parallel calls",
  async *check(harness) {
    for (const { name, reply } of repliesFor(harness.wire, callShapes.slice(0, 4))) {
      const { upToTerminal, after } = harness.wire.frames(reply);
      const { bytes } = render({ upToTerminal: [...upToTerminal, ...upToTerminal.slice(0, -1)] });
      const turn = await harness.ask(bytes);
      yield withBytes(
        {
          at: `${name}, and again without its terminal`,
          expected: "interrupted, runs nothing",
          actual: outline(turn),
        },
        bytes,
      );
      if (harness.wire.ends || after === undefined) continue;
      yield checkFrames(harness, `${name}, and again, without what ends the stream`, {
        frames: { upToTerminal: [...upToTerminal, ...upToTerminal] },
        expected: "interrupted, runs nothing",
      });
    }
  },
};
