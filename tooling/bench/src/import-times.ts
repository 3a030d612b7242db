import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { table } from "@tooling/docs/markdown";
import { buildAll } from "@tooling/publish/build";
import { slack } from "./goals.ts";
import { median } from "./measure.ts";
import { environment } from "./report.ts";

/** The specifiers of an app, and the most CPU time of their import in multiples of the SDK's. */
interface Import {
  readonly names: readonly string[];
  readonly limit?: number;
}

/** The goals are 6, 12 and 20 ms on a machine that imports the SDK in 105 ms. */
const sdkMs = 105;
const sdk: Import = { names: ["@anthropic-ai/sdk"] };
const imports: readonly Import[] = [
  { names: ["@fullstop/core"], limit: 6 / sdkMs },
  { names: ["@fullstop/core", "@fullstop/provider-anthropic/reply"] },
  { names: ["@fullstop/loop"], limit: 12 / sdkMs },
  { names: ["@fullstop/loop", "@fullstop/provider-anthropic"], limit: 20 / sdkMs },
];

export interface ImportTimes {
  readonly what: string;
  /** Medians of all rounds. */
  readonly ms: number;
  readonly toSdk: number;
  readonly limit?: number;
}

const here = fileURLToPath(new URL("..", import.meta.url));

/**
 * Imports the built packages, each time in a new process of this Node. Everything is imported once
 * per round, and a ratio compares two times of one round, so that a busy machine slows both.
 */
export async function measureImports(rounds: number): Promise<readonly ImportTimes[]> {
  await buildAll();
  for (const { names } of [sdk, ...imports]) importMs(names);
  const measured = Array.from({ length: rounds }, () => ({
    sdk: importMs(sdk.names),
    times: imports.map(({ names }) => importMs(names)),
  }));
  const timesOf = (at: number): readonly number[] => measured.map(({ times }) => times[at] ?? 0);
  const rows = imports.map(({ names, limit }, at) => ({
    what: names.join(" + "),
    ms: median(timesOf(at)),
    toSdk: median(measured.map((round) => (round.times[at] ?? 0) / round.sdk)),
    ...(limit !== undefined && { limit }),
  }));
  return [
    ...rows,
    { what: sdk.names.join(), ms: median(measured.map((round) => round.sdk)), toSdk: 1 },
  ];
}

/** The CPU time of the imports in a new process, without its start, in milliseconds. */
function importMs(names: readonly string[]): number {
  const code = `const before = process.cpuUsage();
for (const name of ${JSON.stringify(names)}) await import(name);
const { user, system } = process.cpuUsage(before);
console.log((user + system) / 1000);`;
  const args = ["--input-type=module", "--eval", code];
  return Number(execFileSync(process.execPath, args, { cwd: here, encoding: "utf8" }));
}

/** Whether a goal was missed by more than a noisy machine explains. */
export const isImportMissed = ({ toSdk, limit = Number.POSITIVE_INFINITY }: ImportTimes): boolean =>
  toSdk > limit * slack;

/** The table of docs/speed.md. */
export function formatImports(
  times: readonly ImportTimes[],
  rounds: number,
  releases?: string,
): string {
  const cell = (value: number | undefined): string =>
    value === undefined ? "–" : `${value.toFixed(2)}×`;
  const rows = times.map(({ what, ms, toSdk, limit }) => [
    what,
    `${ms.toFixed(1)} ms`,
    cell(toSdk),
    cell(limit),
  ]);
  const about = `The CPU time of an import of the built packages in a new process, as the median of ${rounds} rounds, and in multiples of the import of \`${sdk.names}\`. \`pnpm bench --import\`: ${environment()}.`;
  const measured = `${about}\n\n${table(["import", "CPU time", "to the SDK", "goal"], rows)}`;
  return releases === undefined ? measured : `${measured}\n\n${releases}`;
}
