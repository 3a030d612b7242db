import { fork } from "node:child_process";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { withContenders } from "./contender-processes.ts";
import { type Cell, cpu, measure, slowMs } from "./measure.ts";
import { type Proxies, type ProxyName, proxyNames, withProxies } from "./proxies.ts";
import type { WireName } from "./wires/index.ts";
import type { Workload } from "./workloads.ts";

/** What is measured. */
export interface BenchPlan {
  readonly wires: readonly WireName[];
  readonly workloads: readonly Workload[];
  readonly contenders: (wire: WireName, workload: string) => readonly string[];
  readonly rounds: number;
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

async function measureWire(
  wire: WireName,
  url: string,
  plan: BenchPlan & { readonly proxies: Proxies; readonly report: (line: string) => void },
): Promise<readonly Cell[]> {
  const { proxies } = plan;
  const slow = new Set<string>();
  const cells: Cell[] = [];
  for (const workload of plan.workloads) {
    plan.report(`${wire} ${workload.name}`);
    const address = { wire, workload: workload.name, url: `${url}/${workload.name}` };
    const names = plan.contenders(wire, workload.name).filter((name) => !slow.has(name));
    const samples = await withContenders({ ...address, names, proxies }, (contenders) =>
      measure(workload, contenders, plan.rounds),
    );
    const cell: Cell = { wire, workload: workload.name, samples };
    for (const name of samples.keys()) if ((cpu(cell, name) ?? 0) > slowMs) slow.add(name);
    cells.push(cell);
  }
  return cells;
}
