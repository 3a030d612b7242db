import { createHeldTotal, type Fetch, type GuardOptions, type HeldTotal } from "@fullstop/guard";
import { noRoute, shuttingDown, upgradeRequired } from "./answers.ts";
import { completeLimits, type Limits } from "./limits.ts";
import type { GatewayObserver } from "./observer.ts";
import { answerOwnPath, type GatewayHandler, type OwnState } from "./own-paths.ts";
import { checkRoutes, type Route } from "./routes.ts";
import { createUpstream } from "./upstream.ts";

/** The routes of a gateway, and its guard. */
export interface GatewayOptions extends GatewayObserver, OwnState {
  /** The upstreams by the first part of the path. Requests go nowhere else. */
  readonly routes: Readonly<Record<string, Route>>;
  /** How replies are guarded. The facts about hosts are those of the routes. */
  readonly guard?: Omit<GuardOptions, "host" | "onReply" | "onUnguarded" | LimitOption> | undefined;
  /** Sends requests to the upstreams. Default: the global `fetch`. */
  readonly fetch?: Fetch | undefined;
  /** How much a request and its reply may need. Sizes are in bytes, times in milliseconds. */
  readonly limits?: Partial<Limits> | undefined;
  /** Counts what is held, also by other gateways. By default one with the limit `maxHeldTotal`. */
  readonly heldTotal?: HeldTotal | undefined;
  /**
   * `true`: `/readyz` and `/metrics` are elsewhere, at a handler that `createAdmin` made. Here they
   * are then 404.
   */
  readonly hasAdmin?: boolean | undefined;
}

/** The options of the guard that are limits. */
type LimitOption = "maxHeld" | "maxDecoded" | "heldTotal";

/**
 * Creates a fetch handler that guards the replies of LLM providers. `/NAME/…` goes to the route
 * NAME. If there is only one route, all other paths go to it too.
 *
 * @throws {ConfigurationError} if a route or a limit cannot be used.
 */
export function createGateway(options: GatewayOptions): GatewayHandler {
  checkRoutes(options?.routes ?? {});
  const names = Object.keys(options.routes);
  const answerRoute = createRouter(options, names);
  return async (request) => {
    const { pathname, search } = new URL(request.url);
    const own = answerOwnPath(request, pathname, options);
    if (own !== undefined)
      return options.hasAdmin && pathname !== "/healthz" ? noRoute(names) : own;
    if (/\bwebsocket\b/i.test(request.headers.get("upgrade") ?? "")) return upgradeRequired();
    if (options.isDraining?.()) return shuttingDown();
    return answerRoute(request, { pathname, search });
  };
}

function createRouter(
  options: GatewayOptions,
  names: readonly string[],
): (request: Request, url: { pathname: string; search: string }) => Promise<Response> | Response {
  const limits = completeLimits(options.limits);
  const { heldTotal = createHeldTotal(limits.maxHeldTotal) } = options;
  const upstreams = new Map(
    Object.entries(options.routes).map(([name, route]) => [
      name,
      createUpstream(name, route, { ...options, limits, heldTotal }),
    ]),
  );
  const [only] = upstreams.size === 1 ? upstreams.values() : [];
  return (request, { pathname, search }) => {
    const [, first = "", rest = ""] = /^\/([^/]*)(.*)$/s.exec(pathname) ?? [];
    const named = upstreams.get(first);
    if (named !== undefined) return named(request, rest + search);
    return only?.(request, pathname + search) ?? noRoute(names);
  };
}
