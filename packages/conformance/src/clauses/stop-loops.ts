import type { ClauseTable } from "../clause.ts";
import { expectOnlyRuns } from "../loop/checks.ts";
import { unforcedTextStops } from "../loop/complete-scripts.ts";
import { smallLoop } from "../loop/small-loop.ts";
import { stopsWithoutCalls } from "../loop/stop-scripts.ts";
import { onlyForCalls } from "../loop/text-inputs.ts";
import { alterTurn, changeTurns, ignoreReasons } from "./mutants.ts";

/** Clauses about stop reasons with which only some hosts, or no known reply, have a call. */
export const stopLoopClauses: ClauseTable = {
  "stop.text-word": {
    rule: "A call of a complete reply also runs under the native stop reason of a finished text.",
    // The vendor sends it only if the request forces a call, and then `stop.whole` asks it.
    level: "should",
    references: {
      "vercel/workflow#1387":
        "three parallel calls under `stop` were discarded, and the run was called complete",
    },
    loop: expectOnlyRuns(unforcedTextStops),
    loopMutants: {
      "drops calls under the stop reason of a finished text": (sound) =>
        smallLoop(
          changeTurns((turn, { wire }) =>
            turn.native?.stop === wire.nativeStops.stop
              ? alterTurn(turn, { stopReason: "stop", calls: [] })
              : turn,
          )(sound),
        ),
    },
  },
  "stop.without-calls": {
    rule: "Under a native stop reason beside which no public recording of the vendor has a call, a call that comes all the same does not run.",
    level: "should",
    references: {
      "BerriAI/litellm#28843": "a report, without a recording, of Gemini's calls under SAFETY",
      "NousResearch/hermes-agent#83886": "the same of MALFORMED_FUNCTION_CALL beside a parsed call",
    },
    loop: expectOnlyRuns(onlyForCalls(stopsWithoutCalls)),
    loopMutants: {
      "runs calls under a stop reason that comes without calls": ({ wire, ...sound }) => {
        const { "content-filter": blocked = "" } = wire.nativeStops;
        const other = { ...wire, stopsWithoutCalls: [blocked] };
        return smallLoop(ignoreReasons("stop-reason")({ ...sound, wire: other }));
      },
    },
  },
};
