import { errorAnswer, methodNotAllowed } from "./answers.ts";

/** Answers a request. Never rejects. */
export type GatewayHandler = (request: Request) => Promise<Response>;

/** What the paths of the gateway itself show. */
export interface OwnState {
  /**
   * `true` while the gateway shuts down: `/readyz` is then 503, and so are new requests. For
   * `startServer`: `() => server.isStopping()`.
   */
  readonly isDraining?: (() => boolean) | undefined;
  /** The text of `/metrics`. Without it the path does not exist. */
  readonly metrics?: (() => Promise<Response>) | undefined;
}

type OwnAnswer = (state: OwnState) => Response | Promise<Response>;

const notFound = (): Response =>
  errorAnswer({ status: 404, type: "not_found", message: "The gateway has no such path here." });

const ownAnswers: Readonly<Record<string, OwnAnswer>> = {
  healthz: () => Response.json({ status: "ok" }),
  readyz: ({ isDraining }) =>
    isDraining?.()
      ? Response.json({ status: "draining" }, { status: 503 })
      : Response.json({ status: "ready" }),
  metrics: ({ metrics }) => metrics?.() ?? notFound(),
};

/** The names of the paths that the gateway answers itself. */
export const isOwnName = (name: string): boolean => Object.hasOwn(ownAnswers, name);
export const isOwnPath = (path: string): boolean => isOwnName(path.slice(1)) && path[0] === "/";

/** Health, readiness and figures. `undefined`: the path is none of these. */
export function answerOwnPath(
  { method }: Pick<Request, "method">,
  pathname: string,
  state: OwnState,
): ReturnType<OwnAnswer> | undefined {
  const answer = isOwnPath(pathname) ? ownAnswers[pathname.slice(1)] : undefined;
  if (answer === undefined) return undefined;
  if (method !== "GET" && method !== "HEAD") return methodNotAllowed("GET, HEAD");
  return answer(state);
}

/** A handler with only these paths, for a port that clients of the gateway cannot reach. */
export const createAdmin =
  (state: OwnState): GatewayHandler =>
  async (request) =>
    answerOwnPath(request, new URL(request.url).pathname, state) ?? notFound();
