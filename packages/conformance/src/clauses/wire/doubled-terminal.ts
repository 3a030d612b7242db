import type { Clause } from "../../clause.ts";
import { outline } from "../../expect.ts";
import { readsFrames } from "../../rig.ts";

export const doubledTerminal: Clause = {
  id: "wire.doubled-terminal",
  rule: "A terminal that is sent twice, or that of another protocol behind it, ends the reply once.",
  level: "must",
  because: "CLIProxyAPI#5651: a gateway sends a terminal of its own beside the provider's",
  async *prove(rig) {
    for (const { name, frames, turn, contentInTerminal } of rig.exchanges) {
      const terminal = frames.upToTerminal.at(-1);
      if (terminal === undefined) continue;
      const copies = contentInTerminal ? [] : [[terminal], [terminal, terminal]];
      for (const more of [...copies, ["[DONE]"]]) {
        const after = [...more, ...(frames.after ?? [])];
        yield readsFrames(rig, `${name}, and ${more.join(", ")} behind it`, {
          frames: { ...frames, after },
          expected: outline(turn),
        });
      }
    }
  },
};
