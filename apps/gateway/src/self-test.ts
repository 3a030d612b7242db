import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createGateway, type GatewayOptions } from "./gateway.ts";
import type { Route } from "./routes.ts";
import { marker, type Probe, probes } from "./self-test-replies.ts";
import { startServer } from "./server.ts";

interface TestedPath {
  readonly path: string;
  /** What is wrong. `undefined`: nothing. */
  readonly problem: string | undefined;
}

const testRoute: Readonly<Record<string, Pick<Route, "host">>> = { test: {} };

/**
 * Sends a finished and a cut reply of each protocol through a gateway on the loopback, with the
 * facts of each route. The first must arrive, and the second without its call.
 */
export async function selfTest(
  guard: GatewayOptions["guard"],
  tested: Readonly<Record<string, Pick<Route, "host">>> = testRoute,
): Promise<readonly TestedPath[]> {
  const upstream = await openUpstream();
  const { port } = upstream.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const names = Object.keys(tested);
  const routes = Object.fromEntries(names.map((name) => [name, { ...tested[name], url }]));
  const server = await startServer({ handler: createGateway({ routes, guard }), port: 0 });
  const test = async (name: string, probe: Probe): Promise<TestedPath> => {
    const address = `http://127.0.0.1:${server.port}/${name}`;
    const finished = await replyTo(address, probe, "finished");
    const cut = await replyTo(address, probe, "cut");
    const path = `/${name}${probe.path.replace(/\?.*/, "")}`;
    return { path, problem: problemOf(probe, finished, cut) };
  };
  try {
    return await Promise.all(names.flatMap((name) => probes.map((probe) => test(name, probe))));
  } finally {
    await server.stop(0);
    upstream.close();
  }
}

const endingHeader = "x-self-test";

async function openUpstream(): Promise<Server> {
  const server = createServer(({ url, headers }, response) => {
    const probe = probes.find(({ path }) => path === url);
    const text = headers[endingHeader] === "cut" ? probe?.cut : probe?.finished;
    response.writeHead(200, { "content-type": "text/event-stream", connection: "close" }).end(text);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}

/** What a client gets. A reply that is made to fail ends with its connection. */
async function replyTo(address: string, probe: Probe, ending: "finished" | "cut"): Promise<string> {
  const { body } = await fetch(address + probe.path, {
    method: "POST",
    headers: { "content-type": "application/json", [endingHeader]: ending },
    body: JSON.stringify(probe.request),
  });
  const decoder = new TextDecoder();
  let text = "";
  try {
    for await (const bytes of body ?? []) text += decoder.decode(bytes, { stream: true });
  } catch {
    // The connection broke behind an error event.
  }
  return text;
}

function problemOf(probe: Probe, finished: string, cut: string): string | undefined {
  if (!finished.includes(marker)) return "The call of a finished reply was lost.";
  if (cut === probe.cut || cut.includes(marker)) return "The call of a cut reply went out.";
  return undefined;
}

/** One line for each path, and a sentence. */
export function selfTestText(tested: readonly TestedPath[]): string {
  const lines = tested.map(({ path, problem }) => `  ${path}: ${problem ?? "guarded"}\n`);
  const isSound = tested.every(({ problem }) => problem === undefined);
  return `${lines.join("")}${
    isSound
      ? "The guard works: finished calls arrived, and calls of cut replies were withheld.\n"
      : "The guard does not work. Do not use this gateway.\n"
  }`;
}
