import type { Clause } from "../../clause.ts";
import { checkRuns } from "../../loop/checks.ts";
import type { RunHarness } from "../../loop/harness.ts";
import { scripts } from "../../loop/scripts.ts";

export const repeats: Clause<RunHarness> = {
  id: "recovery.repeats",
  rule: "A request whose reply was cut at the cap is never sent again unchanged: the next has a larger cap, or tells the model.",
  level: "must",
  because:
    "ThrillhouseBot#492, flowjob#120: the cut is deterministic, so the same request only costs the same again",
  ...checkRuns(scripts.endlessCuts, ({ ran }) => {
    const bodies = ran.requests.map(({ body }) => body);
    const twin = bodies.findIndex((body, n) => bodies.indexOf(body) < n);
    const expected = "every request is another";
    if (twin < 0) return { expected, actual: expected };
    return {
      expected,
      actual: `request ${twin + 1} of ${bodies.length} is request ${bodies.indexOf(bodies[twin] ?? "") + 1} again`,
    };
  }),
};
