import { cutInputs, invalidInputs, siblingCalls } from "./call-scripts.ts";
import { completeReplies } from "./complete-scripts.ts";
import { cutReplies, inBandErrors, missingTerminals, resets, tornFrames } from "./cut-scripts.ts";
import { endlessCalls, endlessCutCalls, endlessCuts, failedRequests } from "./recovery-scripts.ts";
import type { ScriptList } from "./script.ts";
import {
  emptyStop,
  lengthStops,
  otherStops,
  pausedTurn,
  reachedCap,
  unknownStops,
} from "./stop-scripts.ts";
import { onlyForCalls, onlyForJson } from "./text-inputs.ts";

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
/** Runs that need a second turn. */
const longRuns = {
  endlessCalls: onlyForCalls(endlessCalls),
  failedRequests: onlyForCalls(failedRequests),
};

/** Every reply after which no call may run. */
const withoutRuns = joined(
  cutReplies,
  nativeStops,
  reachedCap,
  unknownStops,
  emptyStop,
  faultyInputs.cutInputs,
  faultyInputs.invalidInputs,
  faultyInputs.siblingCalls,
  inBandErrors,
  resets,
  tornFrames,
);

type ScriptKind =
  | "complete"
  | "cutReplies"
  | "nativeStops"
  | "reachedCap"
  | "unknownStops"
  | "emptyStop"
  | "cutInputs"
  | "invalidInputs"
  | "siblingCalls"
  | "inBandErrors"
  | "resets"
  | "tornFrames"
  | "withoutRuns"
  | "missingTerminals"
  | "endlessCuts"
  | "endlessCutCalls"
  | "endlessCalls"
  | "failedRequests"
  | "all";

/** The scripts by kind. */
export const scripts: Readonly<Record<ScriptKind, ScriptList>> = {
  complete: completeReplies,
  cutReplies,
  nativeStops,
  reachedCap,
  unknownStops,
  emptyStop,
  cutInputs: faultyInputs.cutInputs,
  invalidInputs: faultyInputs.invalidInputs,
  siblingCalls: faultyInputs.siblingCalls,
  inBandErrors,
  resets,
  tornFrames,
  withoutRuns: onlyForCalls(withoutRuns),
  missingTerminals,
  endlessCuts,
  endlessCutCalls,
  endlessCalls: longRuns.endlessCalls,
  failedRequests: longRuns.failedRequests,
  all: joined(
    completeReplies,
    withoutRuns,
    missingTerminals,
    pausedTurn,
    endlessCuts,
    longRuns.endlessCalls,
    longRuns.failedRequests,
  ),
};
