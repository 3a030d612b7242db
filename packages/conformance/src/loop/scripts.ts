import { cutInputs, invalidInputs, siblingCalls } from "./call-scripts.ts";
import { completeReplies, unforcedTextStops } from "./complete-scripts.ts";
import {
  cutReplies,
  errorsBeforeEnds,
  inBandErrors,
  missingTerminals,
  pagesInside,
  resets,
  tornFrames,
} from "./cut-scripts.ts";
import { repeatedCalls, secondReplies } from "./once-scripts.ts";
import {
  brokenThenComplete,
  endlessCalls,
  endlessCutCalls,
  endlessCuts,
  failedRequests,
  leakedCalls,
  untilNativeResult,
} from "./recovery-scripts.ts";
import type { ScriptList } from "./script.ts";
import {
  emptyStop,
  lengthStops,
  otherStops,
  pausedTurn,
  reachedCap,
  stopsWithoutCalls,
  unknownStops,
} from "./stop-scripts.ts";
import { onlyForCalls, onlyForJson, onlyWithResults } from "./text-inputs.ts";

const joined =
  (...lists: readonly ScriptList[]): ScriptList =>
  (context) =>
    lists.flatMap((list) => list(context));

const nativeStops = joined(otherStops, lengthStops);

/** Replies in which the input itself shows the fault. */
const faultyInputs = {
  cutInputs: onlyForJson(cutInputs),
  invalidInputs: onlyForJson(invalidInputs),
  siblingCalls: onlyForJson(siblingCalls),
};
/** Replies whose calls a careless reader finds twice. */
const onceOnly = {
  repeatedCalls: onlyForCalls(repeatedCalls),
  secondReplies: onlyForCalls(secondReplies),
};
/** Runs that need a second turn. */
const longRuns = {
  endlessCalls: onlyWithResults(endlessCalls),
  failedRequests: onlyWithResults(failedRequests),
  brokenThenComplete: onlyWithResults(brokenThenComplete),
  untilNativeResult: onlyWithResults(untilNativeResult),
};

/** Every reply after which no call may run. */
const withoutRuns = joined(
  cutReplies,
  nativeStops,
  reachedCap,
  unknownStops,
  stopsWithoutCalls,
  emptyStop,
  faultyInputs.cutInputs,
  faultyInputs.invalidInputs,
  faultyInputs.siblingCalls,
  inBandErrors,
  errorsBeforeEnds,
  resets,
  tornFrames,
  pagesInside,
);

/** Every reply that a vendor sends. Only hosts and routers list a call twice, or append a second reply. */
const singleReplies = joined(
  completeReplies,
  onlyForCalls(unforcedTextStops),
  withoutRuns,
  missingTerminals,
  pausedTurn,
  endlessCuts,
  longRuns.endlessCalls,
  longRuns.failedRequests,
  longRuns.brokenThenComplete,
  longRuns.untilNativeResult,
);

type ScriptKind =
  | "complete"
  | "unforcedTextStops"
  | "cutReplies"
  | "nativeStops"
  | "reachedCap"
  | "unknownStops"
  | "stopsWithoutCalls"
  | "emptyStop"
  | "cutInputs"
  | "invalidInputs"
  | "siblingCalls"
  | "repeatedCalls"
  | "secondReplies"
  | "inBandErrors"
  | "errorsBeforeEnds"
  | "resets"
  | "tornFrames"
  | "pagesInside"
  | "withoutRuns"
  | "missingTerminals"
  | "endlessCuts"
  | "endlessCutCalls"
  | "endlessCalls"
  | "failedRequests"
  | "brokenThenComplete"
  | "leakedCalls"
  | "untilNativeResult"
  | "singleReplies"
  | "all";

export const scripts: Readonly<Record<ScriptKind, ScriptList>> = {
  complete: completeReplies,
  unforcedTextStops: onlyForCalls(unforcedTextStops),
  cutReplies,
  nativeStops,
  reachedCap,
  unknownStops,
  stopsWithoutCalls: onlyForCalls(stopsWithoutCalls),
  emptyStop,
  cutInputs: faultyInputs.cutInputs,
  invalidInputs: faultyInputs.invalidInputs,
  siblingCalls: faultyInputs.siblingCalls,
  repeatedCalls: onceOnly.repeatedCalls,
  secondReplies: onceOnly.secondReplies,
  inBandErrors,
  errorsBeforeEnds,
  resets,
  tornFrames,
  pagesInside,
  withoutRuns: onlyForCalls(withoutRuns),
  missingTerminals,
  endlessCuts,
  endlessCutCalls,
  endlessCalls: longRuns.endlessCalls,
  failedRequests: longRuns.failedRequests,
  brokenThenComplete: longRuns.brokenThenComplete,
  untilNativeResult: longRuns.untilNativeResult,
  leakedCalls,
  singleReplies,
  all: joined(singleReplies, onceOnly.repeatedCalls, onceOnly.secondReplies),
};
