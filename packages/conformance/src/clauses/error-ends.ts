import type { ClauseTable } from "../clause.ts";
import { expectOnlyRuns } from "../loop/checks.ts";
import { errorsBeforeEnds } from "../loop/cut-scripts.ts";
import { smallLoop } from "../loop/small-loop.ts";
import { pageOf } from "../pages.ts";
import { ignoreErrorEvents } from "./mutants.ts";

/** Clauses about replies that go on after an error. */
export const errorEndClauses: ClauseTable = {
  "error.then-end": {
    rule: "If an error comes inside a reply, nothing of the reply runs, even if the end of a complete reply follows.",
    level: "should",
    // The pages do not say that a stream goes on after an error, and ends well.
    references: [pageOf("errorInStream", "anthropic-messages")],
    forLoops: { references: [], pages: "errorInStream" },
    loop: expectOnlyRuns(errorsBeforeEnds),
    loopMutants: {
      "ignores errors inside a reply": (sound) => smallLoop(ignoreErrorEvents(sound)),
    },
  },
};
