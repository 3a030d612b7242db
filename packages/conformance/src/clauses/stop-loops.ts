import type { ClauseTable } from "../clause.ts";
import { expectOnlyRuns } from "../loop/checks.ts";
import { scripts } from "../loop/scripts.ts";
import { smallLoop } from "../loop/small-loop.ts";
import { alterTurn, changeTurns, ignoreReasons } from "./mutants.ts";

/** Clauses about stop reasons with which only some hosts, or no known reply, have a call. */
export const stopLoopClauses: ClauseTable = {
  "stop.text-word": {
    rule: "A call of a complete reply also runs under the native stop reason of a finished text.",
    // The vendor sends it only if the request forces a call, and then `stop.whole` asks it.
    level: "should",
    references: [
      {
        issue: "vercel/workflow#1387",
        note: "three parallel calls under `stop` were discarded, and the run was called complete",
      },
    ],
    loop: expectOnlyRuns(scripts.unforcedTextStops),
    loopMutants: [
      {
        wrong: "drops calls under the stop reason of a finished text",
        subject: (sound) =>
          smallLoop(
            changeTurns((turn, { wire }) =>
              turn.native?.stop === wire.nativeStops.stop
                ? alterTurn(turn, { stopReason: "stop", calls: [] })
                : turn,
            )(sound),
          ),
      },
    ],
  },
  "stop.without-calls": {
    rule: "Under a native stop reason beside which no public recording of the vendor has a call, a call that comes all the same does not run.",
    level: "should",
    references: [
      {
        issue: "BerriAI/litellm#28843",
        note: "a report, without a recording, of Gemini's calls under SAFETY",
      },
      {
        issue: "NousResearch/hermes-agent#83886",
        note: "the same of MALFORMED_FUNCTION_CALL beside a parsed call",
      },
    ],
    loop: expectOnlyRuns(scripts.stopsWithoutCalls),
    loopMutants: [
      {
        wrong: "runs calls under a stop reason that comes without calls",
        subject: ({ wire, ...sound }) => {
          const { "content-filter": blocked = "" } = wire.nativeStops;
          const other = { ...wire, stopsWithoutCalls: [blocked] };
          return smallLoop(ignoreReasons("stop-reason")({ ...sound, wire: other }));
        },
      },
    ],
  },
};
