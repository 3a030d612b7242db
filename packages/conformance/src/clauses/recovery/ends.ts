import type { Clause } from "../../clause.ts";
import { checkRuns } from "../../loop/checks.ts";
import type { RunHarness } from "../../loop/harness.ts";
import { scripts } from "../../loop/scripts.ts";

export const ends: Clause<RunHarness> = {
  id: "recovery.ends",
  rule: "A run comes to its end, whatever reply it got.",
  level: "must",
  because: "mastra#14187, pi#9681: a reply that nobody expected, and the run hangs",
  ...checkRuns(scripts.everything, ({ ran }) => ({
    expected: "ended",
    actual: ran.timeout ?? "ended",
  })),
};
