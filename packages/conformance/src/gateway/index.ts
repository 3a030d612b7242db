export { type PlayedKind, type PlayedReply, playedReplies } from "./corpus.ts";
export { judgeRoute, type RouteEvidence } from "./judge-route.ts";
export {
  findObstacle,
  type GatewayRoute,
  type Observation,
  type ObserveOptions,
  observeReplies,
  type ReadyRoute,
} from "./observe.ts";
export { loadReader, type ProtocolReader } from "./protocols.ts";
export { probeRequests, type RequestProbes } from "./request-checks.ts";
export { gatewayClauses } from "./rules.ts";
export { startUpstream, type Upstream } from "./upstream.ts";
