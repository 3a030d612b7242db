import { cutInputs, invalidInputs, siblingCalls } from "./call-scripts.ts";
import { completeReplies } from "./complete-scripts.ts";
import { cutReplies, inBandErrors, resets, tornFrames } from "./cut-scripts.ts";
import {
  brokenThenComplete,
  endlessCalls,
  endlessCuts,
  failedRequests,
} from "./recovery-scripts.ts";
import type { ScriptList } from "./script.ts";
import { emptyStop, lengthStops, otherStops, reachedCap, unknownStop } from "./stop-scripts.ts";

const joined =
  (...lists: readonly ScriptList[]): ScriptList =>
  (context) =>
    lists.flatMap((list) => list(context));

const nativeStops = joined(otherStops, lengthStops);

/** Every reply after which no call may run. */
const withoutRuns = joined(
  cutReplies,
  nativeStops,
  reachedCap,
  unknownStop,
  emptyStop,
  cutInputs,
  invalidInputs,
  siblingCalls,
  inBandErrors,
  resets,
  tornFrames,
);

type ScriptKind =
  | "complete"
  | "cutReplies"
  | "nativeStops"
  | "reachedCap"
  | "unknownStop"
  | "emptyStop"
  | "cutInputs"
  | "invalidInputs"
  | "siblingCalls"
  | "inBandErrors"
  | "resets"
  | "tornFrames"
  | "withoutRuns"
  | "endlessCuts"
  | "endlessCalls"
  | "failedRequests"
  | "brokenThenComplete"
  | "all";

/** The scripts by kind. */
export const scripts: Readonly<Record<ScriptKind, ScriptList>> = {
  complete: completeReplies,
  cutReplies,
  nativeStops,
  reachedCap,
  unknownStop,
  emptyStop,
  cutInputs,
  invalidInputs,
  siblingCalls,
  inBandErrors,
  resets,
  tornFrames,
  withoutRuns,
  endlessCuts,
  endlessCalls,
  failedRequests,
  brokenThenComplete,
  all: joined(
    completeReplies,
    withoutRuns,
    endlessCuts,
    endlessCalls,
    failedRequests,
    brokenThenComplete,
  ),
};
