import type { ClauseAbout, Question, TableOf } from "../clause.ts";
import { describeBytes } from "../harness/bytes.ts";
import type { Check } from "../harness/check.ts";
import { describeReply } from "./client.ts";
import type { Relay } from "./mutants.ts";
import type { Observation, ReadyRoute } from "./observe.ts";
import type { Compare, Comparison } from "./outcome.ts";
import type { RequestProbes } from "./probes.ts";

/** Everything that was observed of a route. */
export interface RouteEvidence {
  readonly route: ReadyRoute;
  readonly observations: readonly Observation[];
  readonly probes: RequestProbes;
}

/** A clause about gateways. */
export type GatewayClause = ClauseAbout<RouteEvidence, Relay>;
/** Clauses about gateways by their ids. */
export type GatewayClauseTable = TableOf<GatewayClause>;

/** The observations in which upstream played its reply. */
export const playedOnly = ({ observations }: RouteEvidence): readonly Observation[] =>
  observations.filter(({ requests, problem }) => requests.length > 0 && problem === undefined);

/** Why a clause has no check. */
function whyNoCheck({ route, observations }: RouteEvidence): string {
  const problem = observations.find((one) => one.problem !== undefined)?.problem;
  if (problem !== undefined) return problem;
  const shown = `no reply of ${route.behind} shows it`;
  return route.front === route.behind ? shown : `${shown} that ${route.front} can say`;
}

/** A question whose checks follow from what was observed. */
export const askChecks = (
  checksOf: (evidence: RouteEvidence) => readonly Check[],
): Question<RouteEvidence> => ({
  whyNotAsked: (evidence) => (checksOf(evidence).length > 0 ? undefined : whyNoCheck(evidence)),
  async *check(evidence) {
    yield* checksOf(evidence);
  },
});

/** A check of one observation. If it fails, it shows what both sides sent. */
export function replyCheck(
  { played, heard }: Observation,
  { expected, actual, severity }: Comparison,
): Check {
  const about = { at: played.name, expected, actual, id: played.id };
  if (expected === actual) return about;
  return {
    ...about,
    severity,
    bytes: `upstream sent: ${describeBytes(played.bytes)}`,
    output: `in front: ${describeReply(heard)}`,
  };
}

/** Compares each reply that was played with what came out in front. */
export const askReplies = (compare: Compare): Question<RouteEvidence> =>
  askChecks((evidence) =>
    playedOnly(evidence).flatMap((observation) => {
      const comparison = compare(observation, evidence.route);
      return comparison === undefined ? [] : [replyCheck(observation, comparison)];
    }),
  );
