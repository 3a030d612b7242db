import type { Question } from "../clause.ts";
import { tryParseJson } from "../harness/json.ts";
import { isOfLevel, type Level, requestFinding } from "../harness/request-rules.ts";
import type { Violation, Wire } from "../wire.ts";
import { checkRuns, type RunFinding } from "./checks.ts";
import { holdsOf, type SeenRequest } from "./conversation.ts";
import type { RunHarness, ScriptedRun } from "./harness.ts";
import { scripts } from "./scripts.ts";

/** The rules of a level that a request breaks, however much the provider keeps. */
function findViolations(seen: SeenRequest, wire: Wire, level: Level): readonly Violation[] {
  const { request, possible, refusals } = seen;
  if (refusals.length > 0) {
    const part = tryParseJson(request.body);
    return refusals.map((message) => ({ message, part })).filter(isOfLevel(level));
  }
  const found = (body: unknown): readonly Violation[] =>
    wire.violations(body, request).filter(isOfLevel(level));
  const isBroken = holdsOf(seen, (body) => found(body).length > 0);
  return isBroken ? found(possible[0]) : [];
}

/** The first request that breaks rules of a level. */
function findInvalidRequest({ joined }: ScriptedRun, wire: Wire, level: Level): RunFinding {
  for (const [index, seen] of joined.entries()) {
    const finding = requestFinding(findViolations(seen, wire, level), seen.possible[0]);
    if (finding.actual !== finding.expected)
      return { ...finding, actual: `request ${index + 1}: ${finding.actual}` };
  }
  const keepsRules = ({ request, ...seen }: SeenRequest): boolean | undefined =>
    holdsOf({ request, ...seen }, (body) => !wire.violations(body, request).some(isOfLevel(level)));
  const doubt = joined.find((seen) => keepsRules(seen) === undefined)?.doubt;
  return { ...requestFinding([], undefined), ...(doubt !== undefined && { notJudged: doubt }) };
}

/** Whether the requests of each run keep the rules of a level. */
export const checkRequests = (level: Level): Question<RunHarness> =>
  checkRuns(scripts.all, (_, run, { wire }) => findInvalidRequest(run, wire, level));
