import { readFileSync } from "node:fs";
import type { Started } from "./command.ts";

/** The largest resident memory that the process has had, in MiB. Only Linux tells it. */
export function peakOf({ child: { pid } }: Started): number {
  const [, kibi] = /^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Math.round(Number(kibi) / 1024);
}
