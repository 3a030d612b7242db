export type { GatewayClause, RouteEvidence } from "./clause.ts";
export { gatewayClauses, judgeRoute } from "./clauses/index.ts";
export { type PlayedKind, type PlayedReply, playedReplies } from "./corpus.ts";
export type { Relay, RelayedAnswer } from "./mutants.ts";
export {
  findObstacle,
  type GatewayRoute,
  type Observation,
  type ObserveOptions,
  observeReplies,
  probeRequests,
  type ReadyRoute,
  type RequestProbes,
} from "./observe.ts";
export { loadReader, type ProtocolReader } from "./protocols.ts";
export { startUpstream, type Upstream } from "./upstream.ts";
