import { fork } from "node:child_process";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { type Contender, contendersOf } from "./contenders.ts";
import { type Cell, cpu, measure, slowMs } from "./measure.ts";
import { type Proxies, type ProxyName, proxyNames, withProxies } from "./proxies.ts";
import { type WireName, wires } from "./wires/index.ts";
import type { Workload } from "./workloads.ts";

/** What is measured. */
export interface BenchPlan {
  readonly wires: readonly WireName[];
  readonly workloads: readonly Workload[];
  readonly contenders: (wire: WireName, workload: string) => readonly string[];
  readonly rounds: number;
  /** Other libraries, for the protocols that they support. */
  readonly peers: (wire: WireName, baseURL: string) => Readonly<Record<string, Contender>>;
}

/** Starts a server in another process, calls `use` with its URL, and stops the server. */
export async function withServer<Value>(use: (url: string) => Promise<Value>): Promise<Value> {
  const server = fork(fileURLToPath(new URL("server.ts", import.meta.url)));
  try {
    const [{ port }] = (await once(server, "message")) as [AddressInfo];
    return await use(`http://127.0.0.1:${port}`);
  } finally {
    server.disconnect();
  }
}

/** Calls `report` with a progress line for each measurement. */
export const measureAll = (
  plan: BenchPlan,
  report: (line: string) => void,
): Promise<readonly Cell[]> =>
  withServer((url) =>
    withProxies(wantedProxies(plan), url, async (proxies) => {
      const cells: Cell[] = [];
      for (const wire of plan.wires)
        cells.push(...(await measureWire(wire, `${url}/${wire}`, { ...plan, proxies, report })));
      return cells;
    }),
  );

const wantedProxies = ({ wires: names, workloads, contenders }: BenchPlan): readonly ProxyName[] =>
  proxyNames.filter((proxy) =>
    names.some((wire) => workloads.some(({ name }) => contenders(wire, name).includes(proxy))),
  );

/** Peers have separate rounds, so that their garbage does not count for the other contenders. */
async function measureWire(
  wire: WireName,
  url: string,
  plan: BenchPlan & { readonly proxies: Proxies; readonly report: (line: string) => void },
): Promise<readonly Cell[]> {
  const slow = new Set<string>();
  const cells: Cell[] = [];
  const add = async (
    workload: Workload,
    contenders: Readonly<Record<string, Contender>>,
  ): Promise<void> => {
    const wanted = plan.contenders(wire, workload.name).filter((name) => !slow.has(name));
    const chosen = Object.fromEntries(
      Object.entries(contenders).filter(([name]) => wanted.includes(name)),
    );
    const cell: Cell = {
      wire,
      workload: workload.name,
      samples: await measure(workload, chosen, plan.rounds),
    };
    for (const name of cell.samples.keys()) if ((cpu(cell, name) ?? 0) > slowMs) slow.add(name);
    cells.push(cell);
  };
  for (const workload of plan.workloads) {
    plan.report(`${wire} ${workload.name}`);
    const baseURL = `${url}/${workload.name}`;
    const own = await contendersOf(wires[wire], baseURL, workload, plan.proxies);
    const peers = plan.peers(wire, baseURL);
    await add(workload, own);
    if (own.turn !== undefined && Object.keys(peers).length > 0)
      await add(workload, { turn: own.turn, ...peers });
  }
  return cells;
}
