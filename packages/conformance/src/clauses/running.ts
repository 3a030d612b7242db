import type { Clause } from "../clause.ts";
import type { RunHarness } from "../loop/harness.ts";
import { result } from "./history/result.ts";
import { clauses } from "./index.ts";
import { bounded } from "./recovery/bounded.ts";
import { circle } from "./recovery/circle.ts";
import { ends } from "./recovery/ends.ts";
import { failures } from "./recovery/failures.ts";
import { repeats } from "./recovery/repeats.ts";
import { usedUp } from "./stop/used-up.ts";

/** Every clause that is asked of loops and agents: those of adapters that fit them too, and those that fit nothing else. */
export const runClauses: readonly Clause<RunHarness>[] = [
  ...clauses.flatMap(({ id, rule, level, because, run }) =>
    run === undefined ? [] : [{ id, rule, level, because, ...run }],
  ),
  usedUp,
  result,
  bounded,
  circle,
  ends,
  failures,
  repeats,
];
