import type { Clause } from "../../clause.ts";
import { errorKind, outline } from "../../harness/expect.ts";
import { compared } from "../../harness/harness.ts";

export const unreachable: Clause = {
  id: "error.unreachable",
  rule: "A provider that cannot be reached is an interrupted turn with a typed error: nothing is thrown.",
  level: "must",
  because: "hermes-agent#83229: a connection error was told as a truncated output",
  async *prove(rig) {
    const turn = await rig.ask({ chunks: [], fault: "refuse" });
    yield compared({
      at: "a refused connection",
      expected: "interrupted, runs nothing, network",
      actual: `${outline(turn)}, ${errorKind(turn)}`,
    });
  },
};
