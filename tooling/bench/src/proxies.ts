import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

export type ProxyName = "proxy" | "gateway";
export const proxyNames: readonly ProxyName[] = ["proxy", "gateway"];

/** A proxy that runs in another process. */
export interface Proxy {
  readonly url: string;
  /** The CPU time of its process. */
  readonly cpuUsage: () => Promise<NodeJS.CpuUsage>;
}
export type Proxies = Readonly<Partial<Record<ProxyName, Proxy>>>;
export type ProxyURLs = Readonly<Partial<Record<ProxyName, string>>>;

/** Starts the proxies in front of the provider at this URL, calls `use`, and stops them. */
export async function withProxies<Value>(
  names: readonly ProxyName[],
  providerURL: string,
  use: (proxies: Proxies) => Promise<Value>,
): Promise<Value> {
  const program = fileURLToPath(new URL("proxy.ts", import.meta.url));
  const children = names.map((name) => fork(program, [name, providerURL]));
  try {
    const ports = await Promise.all(children.map((child) => nextMessage<number>(child)));
    const started = children.map((child, at): [string, Proxy] => [
      names[at] ?? "",
      {
        url: `http://127.0.0.1:${ports[at]}`,
        cpuUsage: () => {
          child.send("cpu");
          return nextMessage<NodeJS.CpuUsage>(child);
        },
      },
    ]);
    return await use(Object.fromEntries(started));
  } finally {
    for (const child of children) if (child.connected) child.disconnect();
  }
}

export async function nextMessage<Message>(child: ChildProcess): Promise<Message> {
  const ended = new AbortController();
  const { signal } = ended;
  try {
    const exit = once(child, "exit", { signal }).then(([code]) => {
      throw new Error(`A process of the bench ended with ${code}.`);
    });
    const [message] = await Promise.race([once(child, "message", { signal }), exit]);
    return message as Message;
  } finally {
    ended.abort();
  }
}
