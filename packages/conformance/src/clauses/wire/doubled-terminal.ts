import type { Clause } from "../../clause.ts";
import { outline } from "../../expect.ts";
import { readsFrames } from "../../rig.ts";

export const doubledTerminal: Clause = {
  id: "wire.doubled-terminal",
  rule: "A terminal that is sent twice ends the reply once.",
  level: "must",
  because: "CLIProxyAPI#5651: a gateway sends a terminal of its own beside the provider's",
  async *prove(rig) {
    for (const { name, frames, turn } of rig.exchanges) {
      const terminal = frames.upToTerminal.at(-1);
      if (terminal === undefined) continue;
      for (const times of [1, 2]) {
        const after = [...Array.from({ length: times }, () => terminal), ...(frames.after ?? [])];
        yield readsFrames(rig, `${name}, its terminal ${times} times more`, { frames: { ...frames, after }, expected: outline(turn) });
      }
    }
  },
};
