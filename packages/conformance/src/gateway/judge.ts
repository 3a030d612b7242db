import type { JudgeOptions } from "../judge.ts";
import { askAbout, type Verdict, verdictsOf } from "../judge-clause.ts";
import type { RouteEvidence } from "./clause.ts";
import { gatewayClauses } from "./clauses/index.ts";

/**
 * Asks about each clause, and yields its verdict on a route.
 * @throws Error if `only` names an unknown clause or check.
 */
export const judgeRoute = (
  evidence: RouteEvidence,
  options: Pick<JudgeOptions, "only" | "all"> = {},
): AsyncGenerator<Verdict> => verdictsOf(askAbout(gatewayClauses, evidence, options));
