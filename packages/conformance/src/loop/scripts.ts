import * as calls from "./call-scripts.ts";
import * as cuts from "./cut-scripts.ts";
import * as recovery from "./recovery-scripts.ts";
import type { ScriptList } from "./script.ts";
import * as stops from "./stop-scripts.ts";
import { completeReplies, unforcedTextStops } from "./stop-scripts.ts";
import { joined } from "./text-inputs.ts";

/** Every reply after which no call may run. */
export const withoutRuns: ScriptList = joined(
  cuts.cutReplies,
  stops.nativeStops,
  stops.reachedCap,
  stops.unknownStops,
  stops.stopsWithoutCalls,
  stops.blankStops,
  calls.cutInputs,
  calls.invalidInputs,
  calls.siblingCalls,
  cuts.inBandErrors,
  cuts.errorsBesideEnds,
  cuts.resets,
  cuts.tornFrames,
  cuts.pagesInside,
);

/** Every reply that a vendor sends. Only hosts and routers list a call twice, or append a second reply. */
export const singleReplies: ScriptList = joined(
  completeReplies,
  unforcedTextStops,
  withoutRuns,
  cuts.missingTerminals,
  stops.pausedTurn,
  recovery.endlessCuts,
  recovery.endlessCalls,
  recovery.failedRequests,
  recovery.brokenThenComplete,
  recovery.untilNativeResult,
);

export const allScripts: ScriptList = joined(
  singleReplies,
  calls.repeatedCalls,
  calls.secondReplies,
);
