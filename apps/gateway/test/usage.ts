import { readFileSync } from "node:fs";
import type { Started } from "./command.ts";

// Only Linux tells what a process has used.

/** The largest resident memory that the process has had, in MiB. */
export function peakOf({ child: { pid } }: Started): number {
  const [, kibi] = /^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Math.round(Number(kibi) / 1024);
}

const ticksPerSecond = 100;

/** The processor time that the process has used, in milliseconds. */
export function processorTimeOf({ child: { pid } }: Started): number {
  // The name of the program stands in brackets and may contain blanks.
  const [, fields = ""] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ");
  const [user, system] = fields.split(" ").slice(11, 13).map(Number);
  return (((user ?? 0) + (system ?? 0)) * 1000) / ticksPerSecond;
}
