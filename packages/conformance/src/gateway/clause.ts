import type { ClauseAbout, Question, TableOf } from "../clause.ts";
import { describeBytes } from "../harness/bytes.ts";
import type { Check } from "../harness/check.ts";
import { describeReply } from "./client.ts";
import type { Relay } from "./mutants.ts";
import type { Observation, ReadyRoute } from "./observe.ts";
import { describeHeard, type SeenReply, type Severity } from "./outcome.ts";
import type { RequestProbes } from "./probes.ts";

/** Everything that was observed of a route. */
export interface RouteEvidence {
  readonly route: ReadyRoute;
  readonly observations: readonly Observation[];
  readonly probes: RequestProbes;
}

/** A clause about gateways. */
export type GatewayClause = ClauseAbout<RouteEvidence, Relay>;
export type GatewayClauseTable = TableOf<GatewayClause>;

/** The observations in which upstream played its reply. */
export const playedOnly = ({ observations }: RouteEvidence): readonly Observation[] =>
  observations.filter(({ requests, problem }) => requests.length > 0 && problem === undefined);

function whyNoCheck({ route, observations }: RouteEvidence): string {
  const problem = observations.find((one) => one.problem !== undefined)?.problem;
  if (problem !== undefined) return problem;
  const shown = `no reply of ${route.behind} shows it`;
  return route.front === route.behind ? shown : `${shown} that ${route.front} can say`;
}

/** A question whose checks follow from what was observed. `whyNone`: why there is none. */
export const askChecks = (
  checksOf: (evidence: RouteEvidence) => readonly Check[],
  whyNone?: string,
): Question<RouteEvidence> => ({
  whyNotAsked: (evidence) =>
    checksOf(evidence).length > 0 ? undefined : (whyNone ?? whyNoCheck(evidence)),
  async *check(evidence) {
    yield* checksOf(evidence);
  },
});

/** What is compared of a request. `bytes` and `output` show a failure. */
export type ProbeCheck = Pick<Check, "at" | "expected" | "actual" | "bytes" | "output">;

/** Compares what was seen of the requests of a route. `whyNone`: why a route shows nothing about it. */
export const askProbes = (
  compare: (probes: RequestProbes, route: ReadyRoute) => readonly ProbeCheck[],
  whyNone?: string,
): Question<RouteEvidence> =>
  askChecks(
    ({ probes, route }) =>
      compare(probes, route).map(({ at, expected, actual, ...shown }) => ({
        at,
        expected,
        actual,
        id: `${route.front}/${at.replaceAll(/[^a-z0-9]+/gi, "-")}`,
        ...(expected !== actual && { severity: brokenRequest, ...shown }),
      })),
    whyNone,
  );

/** How bad it is that a request or a reply does not arrive as it was sent. */
export const brokenRequest: Severity = "a reply or a request is broken";

/** A check of one observation. If it fails, it shows what both sides sent. */
export function replyCheck(
  { played, heard }: Observation,
  { expected, actual, severity }: Pick<Check, "expected" | "actual"> & { severity: Severity },
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

/** What is compared of a reply that was played with what came out in front. */
interface ReplyQuestion {
  /** Whether it is asked about a reply. */
  about(seen: SeenReply): boolean;
  expected(seen: SeenReply): string;
  /** Whether what came out is right. If it is not, the actual side says what came out. */
  kept?(seen: SeenReply): boolean;
  /** What came out, if it must equal what is expected. */
  actual?(seen: SeenReply): string;
  readonly severity: Severity | ((seen: SeenReply) => Severity);
}

/** Compares each reply that was played with what came out in front. */
export const askReplies = ({ about, ...question }: ReplyQuestion): Question<RouteEvidence> =>
  askChecks((evidence) =>
    playedOnly(evidence)
      .map((observation): SeenReply => ({ ...observation, route: evidence.route }))
      .filter(about)
      .map((seen) => {
        const { severity } = question;
        const expected = question.expected(seen);
        const other = question.actual ?? describeHeard;
        return replyCheck(seen, {
          expected,
          actual: question.kept?.(seen) ? expected : other(seen),
          severity: typeof severity === "string" ? severity : severity(seen),
        });
      }),
  );
