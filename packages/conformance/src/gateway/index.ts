export type { GatewayClause, RouteEvidence } from "./clause.ts";
export { gatewayClauses, judgeRoute } from "./clauses/index.ts";
export { type PlayedReply, playedReplies } from "./corpus.ts";
export type { PlayedKind } from "./exchanges.ts";
export type { Relay, RelayedAnswer } from "./mutants.ts";
export {
  findObstacle,
  type GatewayRoute,
  type Observation,
  type ObserveOptions,
  observeReplies,
  type ReadyRoute,
} from "./observe.ts";
export {
  type EarlyProbe,
  type FormProbe,
  type KeptProbe,
  probeRequests,
  type RequestProbes,
} from "./probes.ts";
export { loadReader, type ProtocolReader } from "./protocols.ts";
export { startUpstream, type Upstream } from "./upstream.ts";
