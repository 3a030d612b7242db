import type { Question } from "../clause.ts";
import { type Level, requestFinding } from "../harness/check.ts";
import type { Wire } from "../wire.ts";
import { checkRuns, notJudged, type RunFinding } from "./checks.ts";
import { findViolations, holdsOf, holdsOpenCall, isRefusedForCall } from "./conversation.ts";
import type { RunHarness, ScriptedRun } from "./harness.ts";
import type { Script, ScriptList } from "./script.ts";
import { allScripts, singleReplies } from "./scripts.ts";

/**
 * Whether every request keeps the rules of one level, with the history that the provider keeps. If
 * it depends on what the provider keeps, the run is not judged.
 */
function findInvalidRequest({ joined }: ScriptedRun, wire: Wire, level: Level): RunFinding {
  let doubt: string | undefined;
  for (const [index, seen] of joined.entries()) {
    const findings = findViolations(seen, wire).map((violations) =>
      requestFinding(violations, seen.possible[0], level),
    );
    const broken = findings.filter(({ expected, actual }) => actual !== expected);
    const [first] = broken;
    if (first !== undefined && broken.length === findings.length)
      return { ...first, actual: `request ${index + 1}: ${first.actual}` };
    if (first !== undefined) doubt ??= seen.doubt;
  }
  return doubt === undefined ? requestFinding([], undefined, level) : notJudged(doubt);
}

/** A request that is wrong only because a host or a router doubled a call breaks no rule of a vendor. */
const repliesByLevel: Readonly<Record<Level, ScriptList>> = {
  must: singleReplies,
  should: allScripts,
};

/** Asks whether the requests of each run keep the rules of one level. */
export const checkRequests = (level: Level): Question<RunHarness> =>
  checkRuns(repliesByLevel[level], (_, run, { wire }) => findInvalidRequest(run, wire, level));

/**
 * Whether a request after a withheld call holds it, or the history that the provider keeps. If the
 * vendor refuses the request because of the call, `request.valid` shows the same defect.
 */
export function findWithheldCall(
  { steps }: Script,
  { effects, joined }: ScriptedRun,
  { wire, calls }: RunHarness,
): RunFinding {
  const expected = "not in the request";
  if (effects.calls.length + effects.damaged.length > 0) return { expected, actual: expected };
  const requests = joined.slice(steps.length);
  const later = requests.map((seen) => ({
    isHeld: holdsOf(seen, (body) => calls.some((call) => holdsOpenCall(wire, body, call))),
    doubt: seen.doubt,
  }));
  if (later.some(({ isHeld }) => isHeld))
    return requests.some((seen) => isRefusedForCall(seen, wire, calls))
      ? notJudged(
          "the vendor refuses the request because of the call, and request.valid shows that",
        )
      : { expected, actual: "in the request" };
  const doubt = later.find(({ isHeld }) => isHeld === undefined)?.doubt;
  return doubt === undefined ? { expected, actual: expected } : notJudged(doubt);
}
