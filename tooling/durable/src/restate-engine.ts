import { setTimeout as sleep } from "node:timers/promises";
import { type CuttingProxy, startProxy } from "./proxy.ts";

/** What an engine does that wakes runs. */
export interface Engine {
  /** The calls of the engine for this run go to this port from now on. Starts a new run. */
  admit(run: string, port: number): Promise<void>;
  /** What the engine says about the end of the run. */
  result(run: string): Promise<EngineResult>;
  /** The name under which the workers serve a run. */
  serviceOf(run: string): string;
  close(): void;
}
interface EngineResult {
  readonly status: string;
  readonly text: string;
}

interface AdmittedRun {
  port: number;
  readonly front: CuttingProxy;
  readonly result: Promise<EngineResult>;
}

/** A run that has no result after this time counts as one that never ends. */
const longestResultMs = 90_000;

/**
 * Each run has a service of its own in Restate, at an address that leads to its worker: a load
 * balancer does the same.
 */
export function restateEngine(ingressUrl: string, adminUrl: string): Engine {
  const runs = new Map<string, AdmittedRun>();
  const start = async (run: string, port: number): Promise<AdmittedRun> => {
    const front = await startProxy(() => runs.get(run)?.port ?? port);
    const uri = `http://127.0.0.1:${front.port}`;
    await send(`${adminUrl}/deployments`, { uri });
    const address = `${ingressUrl}/${serviceOf(run)}/${run}`;
    await send(`${address}/run/send`);
    return { port, front, result: attach(run) };
  };
  const attach = async (run: string): Promise<EngineResult> => {
    const address = `${ingressUrl}/restate/workflow/${serviceOf(run)}/${run}/attach`;
    const response = await untilAnswered(() => fetch(address));
    if (response === undefined) return { status: "no result", text: "" };
    const text = await response.text();
    return response.ok ? (JSON.parse(text) as EngineResult) : { status: text, text: "" };
  };
  return {
    serviceOf,
    admit: async (run, port) => {
      const known = runs.get(run);
      if (known === undefined) runs.set(run, await start(run, port));
      else {
        known.port = port;
        known.front.cut();
      }
    },
    result: async (run) => (await runs.get(run)?.result) ?? { status: "not admitted", text: "" },
    close: () => {
      for (const { front } of runs.values()) front.close();
    },
  };
}

/** The name of the service of a run. */
export const serviceOf = (run: string): string => `Agent_${run.replaceAll("-", "_")}`;

async function send(address: string, body?: object): Promise<void> {
  const response = await untilAnswered(() =>
    fetch(address, {
      method: "POST",
      ...(body && {
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      }),
    }),
  );
  if (response?.ok !== true)
    throw new Error(`Restate did not accept ${address}: ${await response?.text()}`);
}

/** Asks again while the server is away. Undefined: it took too long. */
async function untilAnswered(ask: () => Promise<Response>): Promise<Response | undefined> {
  const end = performance.now() + longestResultMs;
  while (performance.now() < end) {
    const response = await ask().catch(() => undefined);
    if (response !== undefined && response.status !== 503) return response;
    await sleep(100);
  }
  return undefined;
}
