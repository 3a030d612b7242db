import type { Clause } from "../../clause.ts";
import { errorKindOf, outline } from "../../harness/expect.ts";
import { withBytes } from "../../harness/harness.ts";

export const unreachable: Clause = {
  id: "error.unreachable",
  rule: "A provider that cannot be reached is an interrupted turn with a typed error: nothing is thrown.",
  level: "must",
  because: "hermes-agent#83229: a connection error was told as a truncated output",
  async *check(harness) {
    const turn = await harness.ask({ chunks: [], fault: "refuse" });
    yield withBytes({
      at: "a refused connection",
      expected: "interrupted, runs nothing, network",
      actual: `${outline(turn)}, ${errorKindOf(turn)}`,
    });
  },
};
