import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { text } from "node:stream/consumers";
import {
  type AnsweredRequest,
  createGateway,
  createUpstreamFetch,
  type GatewayOptions,
  type GatewayServer,
  startServer,
} from "@fullstop/gateway";

/** A request as an upstream received it. */
export interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}
export type Answer = (response: ServerResponse, received: Received) => unknown;

/** A provider on the loopback. */
export interface Upstream extends AsyncDisposable {
  readonly url: string;
  readonly received: readonly Received[];
  /** The connections that were opened, and those that are open. */
  readonly connections: { opened: number; open: number };
  /** How many replies lost their connection before their end. */
  lost(): number;
}

export async function openUpstream(answer: Answer): Promise<Upstream> {
  const received: Received[] = [];
  const connections = { opened: 0, open: 0 };
  let lost = 0;
  // A busy process closes connections that it has not read yet.
  const patient = { headersTimeout: 0, requestTimeout: 0, keepAliveTimeout: 0 };
  const server = createServer(patient, async (request, response) => {
    const { method = "", url = "", headers } = request;
    response.on("close", () => {
      if (!response.writableFinished) lost++;
    });
    const one = { method, url, headers, body: await text(request).catch(() => "") };
    received.push(one);
    await answer(response, one);
  });
  server.on("connection", (socket: Socket) => {
    connections.opened++;
    connections.open++;
    socket.on("close", () => connections.open--).on("error", () => undefined);
  });
  server.listen({ port: 0, host: "127.0.0.1", backlog: 2048 });
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    connections,
    lost: () => lost,
    async [Symbol.asyncDispose]() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** The `fetch` of the command. */
const upstreamFetch = createUpstreamFetch({ silenceMs: 300_000 });

/** A gateway on the loopback. */
export interface TestGateway extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly server: GatewayServer;
  readonly answers: readonly AnsweredRequest[];
}

export async function openGateway(options: GatewayOptions): Promise<TestGateway> {
  const answers: AnsweredRequest[] = [];
  const server = await startServer({
    handler: createGateway({ fetch: upstreamFetch, ...options }),
    port: 0,
    limits: options.limits,
    onAnswer: (answer) => void answers.push(answer),
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    port: server.port,
    server,
    answers,
    [Symbol.asyncDispose]: async () => void (await server.stop(0)),
  };
}

/** A gateway in front of one upstream: its route is `up`. */
export const openFront = (
  { url }: Pick<Upstream, "url">,
  options: Omit<GatewayOptions, "routes"> = {},
): Promise<TestGateway> =>
  openGateway({ ...options, routes: { up: { url }, other: { url: "http://127.0.0.1:9" } } });
