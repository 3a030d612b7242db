import { readFileSync } from "node:fs";
import type { Started } from "./command.ts";

/** The largest resident memory that the process has had, in MiB. Only Linux tells it. */
export function peakOf({ child: { pid } }: Started): number {
  const [, kibi] = /^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Math.round(Number(kibi) / 1024);
}

/** The figures of a gateway, by their names. */
export async function metricsOf(url: string): Promise<(name: string) => number> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  return (name) => Number(new RegExp(`^${name} (\\S+)$`, "m").exec(metrics)?.[1]);
}
