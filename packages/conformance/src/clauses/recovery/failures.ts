import type { Clause } from "../../clause.ts";
import { expectOnlyRuns } from "../../loop/checks.ts";
import type { RunHarness } from "../../loop/harness.ts";
import { scripts } from "../../loop/scripts.ts";

export const failures: Clause<RunHarness> = {
  id: "recovery.failures",
  rule: "A call that ran does not run again because a later request failed.",
  level: "must",
  because:
    "agentarea#320: a retry of the whole step ran the shell again; agent-framework#3938: 209 of 209 refunds twice",
  ...expectOnlyRuns(scripts.failures),
};
