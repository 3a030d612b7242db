export { createGateway, type GatewayOptions } from "./gateway.ts";
export type { LimitName, Limits } from "./limits.ts";
export type { ReplyEnd } from "./node-response.ts";
export type { GatewayObserver } from "./observer.ts";
export { createAdmin, type GatewayHandler, type OwnState } from "./own-paths.ts";
export { ConfigurationError, parseRoute, type Route } from "./routes.ts";
export {
  type AnsweredRequest,
  type GatewayServer,
  type ServerOptions,
  startServer,
} from "./server.ts";
export { createUpstreamFetch } from "./upstream-fetch.ts";
