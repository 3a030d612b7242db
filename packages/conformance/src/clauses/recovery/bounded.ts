import type { Clause } from "../../clause.ts";
import { checkRuns } from "../../loop/checks.ts";
import { maxRequests, type RunHarness } from "../../loop/harness.ts";
import { scripts } from "../../loop/scripts.ts";

export const bounded: Clause<RunHarness> = {
  id: "recovery.bounded",
  rule: `A call that is cut at the cap again and again is given up within ${maxRequests} requests.`,
  level: "must",
  because:
    "humux#77: a cap that nobody had asked for, and thirty loops; Crow#203: 42 times the same cut, 476,000 tokens",
  ...checkRuns(scripts.endlessCuts, ({ ran }) => {
    const expected = `at most ${maxRequests} requests`;
    return { expected, actual: ran.requests.length <= maxRequests ? expected : "no end to it" };
  }),
};
