import type { Question } from "../clause.ts";
import { tryParseJson } from "../harness/json.ts";
import { type Level, requestFinding } from "../harness/request-rules.ts";
import type { Violation, Wire } from "../wire.ts";
import { checkRuns, holdsOpenCall, notJudged, type RunFinding } from "./checks.ts";
import { holdsOf, type SeenRequest } from "./conversation.ts";
import type { RunHarness, ScriptedRun } from "./harness.ts";
import type { Script } from "./script.ts";
import { scripts } from "./scripts.ts";

/** What a request breaks in each of the forms in which the provider may read it. */
function findViolations(
  { request, possible, refusals }: SeenRequest,
  wire: Wire,
): readonly (readonly Violation[])[] {
  if (refusals.length === 0) return possible.map((body) => wire.violations(body, request));
  const part = tryParseJson(request.body);
  return [refusals.map((message) => ({ message, part }))];
}

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

/** Asks whether the requests of each run keep the rules of one level. */
export const checkRequests = (level: Level): Question<RunHarness> =>
  checkRuns(scripts.all, (_, run, { wire }) => findInvalidRequest(run, wire, level));

/** Whether a request after a withheld call holds it, or the history that the provider keeps. */
export function findWithheldCall(
  { steps }: Script,
  { effects, joined }: ScriptedRun,
  { wire, calls }: RunHarness,
): RunFinding {
  const expected = "not in the request";
  if (effects.calls.length + effects.damaged.length > 0) return { expected, actual: expected };
  const later = joined.slice(steps.length).map((seen) => ({
    isHeld: holdsOf(seen, (body) => calls.some((call) => holdsOpenCall(wire, body, call))),
    doubt: seen.doubt,
  }));
  if (later.some(({ isHeld }) => isHeld)) return { expected, actual: "in the request" };
  const doubt = later.find(({ isHeld }) => isHeld === undefined)?.doubt;
  return doubt === undefined ? { expected, actual: expected } : notJudged(doubt);
}
