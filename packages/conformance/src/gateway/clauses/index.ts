import { clausesIn } from "../../clause.ts";
import type { JudgeOptions } from "../../judge.ts";
import { askAbout, type Verdict, verdictsOf } from "../../judge-clause.ts";
import type { GatewayClause, RouteEvidence } from "../clause.ts";
import { breakClauses } from "./break.ts";
import { lossClauses } from "./loss.ts";
import { relabelClauses } from "./relabel.ts";
import { transferClauses } from "./transfer.ts";
import { upstreamClauses } from "./upstream.ts";
import { variantClauses } from "./variant.ts";

/** The clauses for gateways, in their order. */
export const gatewayClauses: readonly GatewayClause[] = clausesIn<GatewayClause>([
  relabelClauses,
  lossClauses,
  breakClauses,
  upstreamClauses,
  transferClauses,
  variantClauses,
]);

/**
 * Yields a verdict for each clause.
 * @throws Error if `only` names an unknown clause or check.
 */
export const judgeRoute = (
  evidence: RouteEvidence,
  options: Pick<JudgeOptions, "only" | "all"> = {},
): AsyncGenerator<Verdict> => verdictsOf(askAbout(gatewayClauses, evidence, options));
