import { render } from "../../bytes.ts";
import type { Clause } from "../../clause.ts";
import { outline } from "../../expect.ts";
import { compared } from "../../rig.ts";
import { callShapes, said } from "../../scenarios.ts";

export const contentAfter: Clause = {
  id: "stop.content-after",
  rule: "Content behind an ending un-says it: a second reply that begins there and is cut makes nothing of the first run.",
  level: "must",
  because: "litellm#2195, jcode#1326: hosts that put `stop` on every chunk, cut between two parallel calls",
  async *prove(rig) {
    for (const { name, reply } of said(rig.wire, callShapes.slice(0, 4))) {
      const { upToTerminal } = rig.wire.frames(reply);
      const { bytes } = render({ upToTerminal: [...upToTerminal, ...upToTerminal.slice(0, -1)] });
      const turn = await rig.ask(bytes);
      yield compared(
        { at: `${name}, and again without its terminal`, expected: "interrupted, runs nothing", actual: outline(turn) },
        bytes,
      );
    }
  },
};
