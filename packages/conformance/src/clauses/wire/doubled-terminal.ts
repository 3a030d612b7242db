import type { Clause } from "../../clause.ts";
import { outline } from "../../harness/expect.ts";
import { checkFrames } from "../../harness/harness.ts";

export const doubledTerminal: Clause = {
  id: "wire.doubled-terminal",
  rule: "A terminal that is sent twice, or that of another protocol behind it, ends the reply once.",
  level: "must",
  because: "CLIProxyAPI#5651: a gateway sends a terminal of its own beside the provider's",
  async *check(harness) {
    for (const { name, frames, turn } of harness.exchanges) {
      const terminal = frames.upToTerminal.at(-1);
      if (terminal === undefined) continue;
      for (const more of [[terminal], [terminal, terminal], ["[DONE]"]]) {
        const after = [...more, ...(frames.after ?? [])];
        yield checkFrames(harness, `${name}, and ${more.join(", ")} behind it`, {
          frames: { ...frames, after },
          expected: outline(turn),
        });
      }
    }
  },
};
