import {
  createServer,
  type IncomingMessage,
  type ServerOptions as NodeOptions,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { replyIdHeader } from "@fullstop/guard";
import {
  badTarget,
  handlerFailed,
  methodNotAllowed,
  shuttingDown,
  tooManyActive,
} from "./answers.ts";
import {
  createTokenCheck,
  refuseForeignPage,
  type ServedNames,
  type TokenCheck,
} from "./client-check.ts";
import { completeLimits, type Limits } from "./limits.ts";
import { createRequest, targetOf } from "./node-request.ts";
import { type ReplyEnd, sendResponse } from "./node-response.ts";
import { type GatewayHandler, isOwnPath } from "./own-paths.ts";
import { refuseUnreadable } from "./unreadable.ts";

/** A request that was answered. */
export interface AnsweredRequest {
  readonly method: string;
  /** Without the query, which may hold a key. Empty if the target of the request is not a path. */
  readonly path: string;
  readonly status: number;
  /** Milliseconds from the head of the request to the end of the reply. */
  readonly ms: number;
  readonly end: ReplyEnd;
  /** The header `x-fullstop-reply-id` of the answer, and the `replyId` of the guard's report. */
  readonly replyId: string;
  readonly requestId: string | undefined;
}

/** What a server serves, and where it listens. */
export interface ServerOptions {
  readonly handler: GatewayHandler;
  /** Default: `127.0.0.1`. */
  readonly host?: string | undefined;
  /**
   * Further names under which clients reach the server. On a loopback address it otherwise answers
   * only requests to `localhost` and to loopback addresses, and none of a web page.
   */
  readonly allowedHosts?: readonly string[] | undefined;
  /** Default: 4141. With 0 the system chooses a free port. */
  readonly port?: number | undefined;
  /**
   * What clients must send in the header `x-fullstop-token`, or as `Proxy-Authorization: Bearer …`.
   * `/healthz` and `/readyz` need none. By default no token is needed.
   */
  readonly token?: string | undefined;
  /** Those of its requests and connections. Sizes are in bytes, times in milliseconds. */
  readonly limits?: Partial<Limits> | undefined;
  /** Receives each answer after its end. */
  readonly onAnswer?: ((answer: AnsweredRequest) => void) | undefined;
  /** The server itself failed. The client got a status 500, or its connection was closed. */
  readonly onError?: ((thrown: unknown) => void) | undefined;
}

/** A server that listens. */
export interface GatewayServer {
  readonly host: string;
  readonly port: number;
  /** The number of requests to upstreams whose replies have not ended. */
  active(): number;
  /** `stop` was called: new requests get status 503. */
  isStopping(): boolean;
  /**
   * Takes no new requests. Waits until all replies have ended, at most `ms` milliseconds; then cuts the rest and stops
   * listening. Returns how many replies were cut.
   */
  stop(ms: number): Promise<number>;
}

/** How many connections may wait to be accepted. */
const backlog = 4096;

/** Starts an HTTP/1.1 server. Rejects if it cannot listen. */
export async function startServer(options: ServerOptions): Promise<GatewayServer> {
  const { host = "127.0.0.1", port = 4141, allowedHosts = [] } = options;
  const limits = completeLimits(options.limits);
  const checkToken = createTokenCheck(options.token);
  const running = new Set<Promise<void>>();
  let active = 0;
  let isStopping = false;
  const refusalOf = (): Response | undefined => {
    if (isStopping) return shuttingDown();
    return active >= limits.maxActive ? tooManyActive(limits.maxActive) : undefined;
  };
  const server = createServer(connectionOptions(limits), (incoming, outgoing) => {
    if (isStopping) outgoing.shouldKeepAlive = false;
    const isOwn = isOwnPath(pathOf(incoming));
    const refusal = isOwn ? undefined : refusalOf();
    const counts = isOwn || refusal !== undefined ? 0 : 1;
    active += counts;
    const handler = refusal === undefined ? options.handler : async () => refusal;
    const answered = answer(incoming, outgoing, {
      ...options,
      handler,
      host,
      allowedHosts,
      checkToken,
    })
      .catch((thrown: unknown) => {
        outgoing.destroy();
        options.onError?.(thrown);
      })
      .finally(() => {
        running.delete(answered);
        active -= counts;
      });
    running.add(answered);
  });
  server.maxConnections = limits.maxConnections;
  refuseUnreadable(server);
  await listen(server, { host, port });
  return {
    host,
    port: (server.address() as AddressInfo).port,
    active: () => active,
    isStopping: () => isStopping,
    async stop(ms) {
      isStopping = true;
      await allEnded(running, ms);
      const cut = running.size;
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
      await Promise.all(running);
      return cut;
    },
  };
}

const connectionOptions = (limits: Limits): NodeOptions => ({
  headersTimeout: Math.min(limits.headSeconds, limits.bodySeconds),
  requestTimeout: limits.bodySeconds,
  keepAliveTimeout: limits.idleSeconds,
  maxHeaderSize: limits.maxHead,
  keepAlive: true,
  connectionsCheckingInterval: Math.min(5000, limits.headSeconds, limits.bodySeconds),
});

const listen = (server: Server, { host, port }: { host: string; port: number }): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host, port, backlog }, () => {
      server.off("error", reject);
      resolve();
    });
  });

interface AnswerOptions
  extends ServedNames,
    Pick<ServerOptions, "handler" | "onAnswer" | "onError"> {
  readonly checkToken: TokenCheck;
}
/** Those who watch a server need not know its token. */
const pathsWithoutToken: ReadonlySet<string> = new Set(["/healthz", "/readyz"]);

async function answer(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  options: AnswerOptions,
): Promise<void> {
  const started = performance.now();
  const client = new AbortController();
  // A reply that was sent has nothing left to end.
  outgoing.once("close", () => outgoing.writableFinished || client.abort());
  const response = await respond(incoming, options, client.signal);
  // Many clients read an answer only when they have sent their body, so the rest of it is read.
  incoming.resume();
  const replyId = response.headers.get(replyIdHeader) ?? crypto.randomUUID();
  const end = await sendResponse(response, outgoing, replyId);
  options.onAnswer?.({
    method: incoming.method ?? "",
    path: pathOf(incoming),
    status: response.status,
    ms: Math.round(performance.now() - started),
    end,
    replyId,
    requestId:
      response.headers.get("request-id") ?? response.headers.get("x-request-id") ?? undefined,
  });
}

/** Never rejects: a request that cannot be answered must not end the process. */
async function respond(
  incoming: IncomingMessage,
  { handler, onError, checkToken, ...names }: AnswerOptions,
  signal: AbortSignal,
): Promise<Response> {
  try {
    // `fetch` refuses it, because a reply to it shows the keys of the request.
    if (incoming.method === "TRACE") return methodNotAllowed("GET, HEAD, POST, PUT, PATCH, DELETE");
    const refused = refuseForeignPage(incoming.headers, names);
    if (refused !== undefined) return refused;
    const { headers } = incoming;
    const missing = pathsWithoutToken.has(pathOf(incoming)) ? undefined : checkToken(headers);
    if (missing !== undefined) return missing;
    const request = createRequest(incoming, signal);
    return request === undefined ? badTarget() : await handler(request);
  } catch (thrown) {
    onError?.(thrown);
    return handlerFailed();
  }
}

/** Without the query and without the address of another server: both may hold a key. */
const pathOf = (incoming: IncomingMessage): string => {
  const target = targetOf(incoming);
  return target.startsWith("/") ? target.replace(/\?.*$/s, "") : "";
};

/** Waits until nothing is running, at most `ms` milliseconds. */
async function allEnded(running: ReadonlySet<Promise<void>>, ms: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isTimeUp = false;
  const timeUp = new Promise<void>((resolve) => {
    timer = setTimeout(() => {
      isTimeUp = true;
      resolve();
    }, ms);
  });
  while (running.size > 0 && !isTimeUp) await Promise.race([timeUp, Promise.all(running)]);
  clearTimeout(timer);
}
