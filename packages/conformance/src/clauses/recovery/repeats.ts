import type { Clause } from "../../clause.ts";
import { over } from "../../run/proofs.ts";
import type { RunRig } from "../../run/rig.ts";
import { scripts } from "../../run/scripts.ts";

export const repeats: Clause<RunRig> = {
  id: "recovery.repeats",
  rule: "A request whose reply was cut at the cap is never sent again unchanged: the next has a larger cap, or tells the model.",
  level: "must",
  because: "ThrillhouseBot#492, flowjob#120: the cut is deterministic, so the same request only costs the same again",
  ...over(scripts.endlessCuts, function* ({ script, ran }) {
    const bodies = ran.requests.map(({ body }) => body);
    const twin = bodies.findIndex((body, n) => bodies.indexOf(body) < n);
    const first = bodies.indexOf(bodies[twin] ?? "");
    yield {
      at: script.name,
      expected: "every request is another",
      actual: twin < 0 ? "every request is another" : `request ${twin + 1} of ${bodies.length} is request ${first + 1} again`,
    };
  }),
};
