import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { nextMessage, type Proxies, type ProxyName, type ProxyURLs } from "./proxies.ts";
import type { WireName } from "./wires/index.ts";

/** The reply of a workload. */
interface ReplyAddress {
  readonly wire: WireName;
  readonly workload: string;
  readonly url: string;
}
/** What the process of a contender reads. */
export interface ContenderPlan extends ReplyAddress {
  readonly name: string;
  readonly proxyURLs: ProxyURLs;
}

/**
 * A contender that runs in a process of its own, as in an app. In one process, the garbage of one
 * contender counts for another one, and the engine compiles shared code for all of them.
 */
export interface RunningContender {
  readonly read: (times: number) => Promise<unknown>;
  /** The CPU time of the process whose work is measured. */
  readonly cpuUsage: () => Promise<NodeJS.CpuUsage>;
  /** It runs for days, so its warm-up is longer. */
  readonly isServer: boolean;
}

/** Starts those contenders that the protocol has, calls `use`, and stops them. */
export async function withContenders<Value>(
  asked: ReplyAddress & { readonly names: readonly string[]; readonly proxies: Proxies },
  use: (contenders: ReadonlyMap<string, RunningContender>) => Promise<Value>,
): Promise<Value> {
  const { names, proxies, ...address } = asked;
  const proxyURLs = Object.fromEntries(
    Object.entries(proxies).map(([name, { url }]) => [name, url]),
  );
  const program = fileURLToPath(new URL("contender-process.ts", import.meta.url));
  const children = names.map((name) => {
    const plan: ContenderPlan = { ...address, name, proxyURLs };
    return { name, child: fork(program, [JSON.stringify(plan)]) };
  });
  try {
    const running = new Map<string, RunningContender>();
    for (const { name, child } of children) {
      if (!(await nextMessage<boolean>(child))) continue;
      running.set(name, runningContender(child, proxies[name as ProxyName]));
    }
    return await use(running);
  } finally {
    for (const { child } of children) if (child.connected) child.disconnect();
  }
}

function runningContender(child: ChildProcess, proxy: Proxies[ProxyName]): RunningContender {
  const ask = (question: "cpu" | { readonly read: number }): Promise<NodeJS.CpuUsage> => {
    child.send(question);
    return nextMessage(child);
  };
  return {
    read: (times) => ask({ read: times }),
    cpuUsage: proxy?.cpuUsage ?? (() => ask("cpu")),
    isServer: proxy !== undefined,
  };
}
