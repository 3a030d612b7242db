import type { Clause } from "../../clause.ts";
import { checkRuns } from "../../loop/checks.ts";
import { maxRequests, type RunHarness } from "../../loop/harness.ts";
import { scripts } from "../../loop/scripts.ts";

export const circle: Clause<RunHarness> = {
  id: "recovery.circle",
  rule: `A model that asks for the same call with the same result for ever is stopped within ${maxRequests} requests.`,
  level: "should",
  because:
    "Kilo-Org/kilocode#13772: 3,673 steps and $626 in one session; openclaw#17118: 1,535 calls",
  ...checkRuns(scripts.circle, ({ ran }) => {
    const expected = `at most ${maxRequests} requests`;
    return { expected, actual: ran.requests.length <= maxRequests ? expected : "no end to it" };
  }),
};
