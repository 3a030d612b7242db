import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { scratch } from "@tooling/publish/process";
import type { CountName } from "./judge.ts";
import { openFault } from "./rows.ts";
import { type ScenarioName, scenarios } from "./scenarios/index.ts";
import { type FaultName, faultNames } from "./spec.ts";

/** A fault of a journal, and a count that must not stay 0. */
interface Control {
  readonly scenario: ScenarioName;
  readonly times: number;
  readonly counts: readonly CountName[];
}
const controls: Readonly<Record<FaultName, Control>> = {
  "forgets-begin": { scenario: "kills", times: 12, counts: ["doubled"] },
  "has-no-lease": { scenario: "two-workers", times: 3, counts: ["doubled"] },
  "ends-too-early": { scenario: "kills", times: 20, counts: ["repeated", "lost"] },
  "waits-for-lock": { scenario: "locks", times: 2, counts: ["unended"] },
  "waits-for-space": { scenario: "full", times: 2, counts: ["unended"] },
  "outlives-deletion": { scenario: "deletions", times: 4, counts: ["unnoticed"] },
  "by-ordinal": { scenario: "kills", times: 24, counts: ["lost", "unended"] },
};

export interface ControlResult {
  readonly fault: FaultName;
  readonly isCaught: boolean;
  /** What was counted. */
  readonly text: string;
}

/** Runs the table's scenarios on journals with one fault each. */
export async function runControls(
  seed: number,
  faults: readonly FaultName[] = faultNames,
): Promise<readonly ControlResult[]> {
  const results: ControlResult[] = [];
  for (const fault of faults) results.push(await runControl(fault, seed));
  return results;
}

async function runControl(fault: FaultName, seed: number): Promise<ControlResult> {
  const { scenario: name, times, counts } = controls[fault];
  const folder = join(scratch("controls"), fault);
  mkdirSync(folder);
  const row = await openFault(fault, folder);
  const result = await scenarios[name].scenario({ row, seed, times, onProgress: () => {} });
  const found = counts.map((count) => [count, result?.counts[count] ?? 0] as const);
  return {
    fault,
    isCaught: found.some(([, count]) => count > 0),
    text: `${name}, ${result?.runs ?? 0} runs: ${found.map(([count, n]) => `${count} ${n}`).join(", ")}`,
  };
}
