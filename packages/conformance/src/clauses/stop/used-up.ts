import type { Clause } from "../../clause.ts";
import { expectOnlyRuns } from "../../loop/checks.ts";
import type { RunHarness } from "../../loop/harness.ts";
import { scripts } from "../../loop/scripts.ts";

export const usedUp: Clause<RunHarness> = {
  id: "stop.used-up",
  rule: "A run does not believe a word for a finished reply whose usage reached the cap that the run itself sent.",
  level: "should",
  because: "vllm#53269, hermes-agent#108558: a cut at the cap is relabelled as finished",
  ...expectOnlyRuns(scripts.usedUp),
};
