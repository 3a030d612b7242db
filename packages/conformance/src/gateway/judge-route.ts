import { type ClauseText, selectClauses, splitCheck } from "../clause.ts";
import { describeBytes } from "../harness/bytes.ts";
import type { Check } from "../harness/check.ts";
import type { Verdict } from "../judge-clause.ts";
import { describeReply } from "./client.ts";
import { comparisons, isExact } from "./compare.ts";
import type { Observation, ReadyRoute } from "./observe.ts";
import { looksFinished } from "./outcome.ts";
import { isRequestClause, type RequestProbes, requestChecks } from "./request-checks.ts";
import { type GatewayClauseId, gatewayClauses } from "./rules.ts";

/** Everything that was observed of a route. */
export interface RouteEvidence {
  readonly route: ReadyRoute;
  readonly observations: readonly Observation[];
  readonly probes: RequestProbes;
}

const replyCheck = (
  observation: Observation,
  comparison: { readonly expected: string; readonly actual: string; readonly severity: string },
): Check => {
  const { played, heard } = observation;
  const { expected, actual, severity } = comparison;
  const about = { at: played.name, expected, actual, id: played.id };
  if (expected === actual) return about;
  return {
    ...about,
    severity,
    bytes: `upstream sent: ${describeBytes(played.bytes)}`,
    output: `in front: ${describeReply(heard)}`,
  };
};

/** The observations in which upstream played its reply. */
const playedOnly = ({ observations }: RouteEvidence): readonly Observation[] =>
  observations.filter(({ requests, problem }) => requests.length > 0 && problem === undefined);

function replyChecks(id: GatewayClauseId, evidence: RouteEvidence): readonly Check[] {
  if (id === "upstream.sent")
    return evidence.observations.map((observation) => {
      const sent = observation.requests.length > 0;
      const expected = "a request at upstream";
      return replyCheck(observation, {
        expected,
        actual: sent ? expected : "no request at upstream",
        severity: "a reply or a request is broken",
      });
    });
  const compare = comparisons[id as keyof typeof comparisons];
  return playedOnly(evidence).flatMap((observation) => {
    const comparison = compare(observation, evidence.route);
    return comparison === undefined ? [] : [replyCheck(observation, comparison)];
  });
}

/** Why a clause has no check. */
function whyNotAsked(id: string, { route, observations }: RouteEvidence): string {
  const problem = observations.find((one) => one.problem !== undefined)?.problem;
  if (problem !== undefined) return problem;
  if (id === "upstream.results") return "no reply with two calls came out in front";
  return route.front === route.behind
    ? `no reply of ${route.behind} shows it`
    : `no reply of ${route.behind} shows it that ${route.front} can say`;
}

/** How many finished replies left byte for byte. A note, and never a failure. */
function exactVerdict(clause: ClauseText, evidence: RouteEvidence): Verdict {
  const { front, behind } = evidence.route;
  const nothing = { clause, status: "not-asked", checks: 0, broken: [] } as const;
  if (front !== behind)
    return { ...nothing, reason: "a gateway that translates writes every reply anew" };
  const finished = playedOnly(evidence).filter(
    ({ sent, reachesCap }) => looksFinished(sent) && !reachesCap,
  );
  const others = finished.filter((observation) => !isExact(observation));
  const exact = finished.length - others.length;
  if (finished.length > 0 && others.length === 0)
    return { clause, status: "kept", checks: exact, broken: [] };
  const named = others.slice(0, 5).map(({ played }) => played.id);
  const more = others.length > named.length ? ", …" : "";
  return {
    ...nothing,
    reason: `a note: ${exact} of ${finished.length} finished replies left byte for byte; others are ${named.join(", ")}${more}`,
  };
}

interface JudgeRouteOptions {
  /** A clause, a family, or one check of a clause. */
  readonly only?: string | undefined;
  /** Reports show every failed check. */
  readonly all?: boolean | undefined;
}

/** The checks of a clause, or the one with this id. */
function checksOf(
  id: Exclude<GatewayClauseId, "exact.bytes">,
  evidence: RouteEvidence,
  checkId: string | undefined,
): readonly Check[] {
  const checks = isRequestClause(id)
    ? requestChecks(id, evidence.probes, evidence.route)
    : replyChecks(id, evidence);
  if (checkId === undefined) return checks;
  const named = checks.filter((check) => check.id === checkId);
  if (named.length > 0) return named;
  const { front, behind } = evidence.route;
  throw new Error(
    `${front} → ${behind} was not asked ${id}/${checkId}. Ask ${id}: --all shows each check that is broken.`,
  );
}

function clauseVerdict(
  clause: ClauseText,
  evidence: RouteEvidence,
  { checkId, all }: { readonly checkId: string | undefined; readonly all: boolean },
): Verdict {
  const id = clause.id as GatewayClauseId;
  if (id === "exact.bytes") return exactVerdict(clause, evidence);
  const checks = checksOf(id, evidence, checkId);
  if (checks.length === 0)
    return {
      clause,
      status: "not-asked",
      checks: 0,
      broken: [],
      reason: whyNotAsked(id, evidence),
    };
  const failed = checks.filter(({ expected, actual }) => expected !== actual);
  return {
    clause,
    status: failed.length === 0 ? "kept" : "broken",
    checks: checks.length,
    broken: failed,
    checkIds: checks.flatMap((check) => check.id ?? []),
    ...(all && { all }),
  };
}

/**
 * The verdict of each clause about a route. `all` lets reports show every failed check.
 * @throws Error if `only` names an unknown clause, or a check that was not asked.
 */
export function judgeRoute(
  evidence: RouteEvidence,
  { only, all = false }: JudgeRouteOptions = {},
): readonly Verdict[] {
  const { clause: named, checkId } = only === undefined ? {} : splitCheck(only);
  return selectClauses(named, gatewayClauses).map((clause) =>
    clauseVerdict(clause, evidence, { checkId, all }),
  );
}
