import { judgeAbout, type Verdict } from "../judge-clause.ts";
import type { RouteEvidence } from "./clause.ts";
import { gatewayClauses } from "./clauses/index.ts";

interface JudgeRouteOptions {
  /** A clause, a family, or one check of a clause. */
  readonly only?: string | undefined;
  /** Reports show every failed check. */
  readonly all?: boolean | undefined;
}

/**
 * Asks about each clause, and yields its verdict on a route.
 * @throws Error if `only` names an unknown clause or check.
 */
export const judgeRoute = (
  evidence: RouteEvidence,
  options: JudgeRouteOptions = {},
): AsyncGenerator<Verdict> => judgeAbout(gatewayClauses, evidence, options);
