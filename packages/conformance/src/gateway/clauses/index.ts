import { clausesIn } from "../../clause.ts";
import type { GatewayClause } from "../clause.ts";
import { breakClauses } from "./break.ts";
import { lossClauses } from "./loss.ts";
import { relabelClauses } from "./relabel.ts";
import { upstreamClauses } from "./upstream.ts";
import { variantClauses } from "./variant.ts";

/** The clauses for gateways, in their order. */
export const gatewayClauses: readonly GatewayClause[] = clausesIn<GatewayClause>([
  relabelClauses,
  lossClauses,
  breakClauses,
  upstreamClauses,
  variantClauses,
]);
