import type { Clause } from "../../clause.ts";
import { over } from "../../loop/checks.ts";
import { patience, type RunHarness } from "../../loop/harness.ts";
import { scripts } from "../../loop/scripts.ts";

export const circle: Clause<RunHarness> = {
  id: "recovery.circle",
  rule: `A model that asks for the same call with the same result for ever is stopped within ${patience} requests.`,
  level: "should",
  because:
    "Kilo-Org/kilocode#13772: 3,673 steps and $626 in one session; openclaw#17118: 1,535 calls",
  ...over(scripts.circle, ({ ran }) => {
    const expected = `at most ${patience} requests`;
    return { expected, actual: ran.requests.length <= patience ? expected : "no end to it" };
  }),
};
