import { readFile, writeFile } from "node:fs/promises";
import { cpus } from "node:os";
import { filled } from "@tooling/docs/generated";
import { descriptions as contenders } from "./contenders.ts";
import type { Verdict } from "./goals.ts";
import type { Growth } from "./growth.ts";
import { type Cell, cpu, ratio } from "./measure.ts";
import type { Memory } from "./memory.ts";
import { descriptions as peers } from "./peers.ts";
import { descriptions as workloads } from "./workloads.ts";

/** Where and when it was measured. */
const circumstances = (): string =>
  `Node ${process.version}, ${process.platform} ${process.arch}, ${cpus().length} × ${cpus()[0]?.model.trim()}, ${new Date().toISOString().slice(0, 10)}`;

const cells = (row: readonly string[], widths: readonly number[]): string =>
  row
    .map((cell, at) => (at < 2 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
    .join("  ")
    .trimEnd();

function aligned(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  return `${rows.map((row) => cells(row, widths)).join("\n")}\n`;
}

const times = (value: number | undefined): string =>
  value === undefined ? "" : `${value.toFixed(2)}×`;
const ms = (value: number | undefined): string =>
  value === undefined ? "" : `${value.toFixed(value < 10 ? 2 : 1)} ms`;

/** Every contender on every workload. */
export const table = (measured: readonly Cell[]): string =>
  aligned([
    ["wire", "workload", "contender", "rounds", "CPU", "to floor", "to sdk"],
    ...measured.flatMap((cell) =>
      [...cell.samples].map(([name, rounds]) => [
        cell.wire,
        cell.workload,
        name,
        String(rounds.length),
        ms(cpu(cell, name)),
        times(ratio(cell, name, "floor")),
        times(ratio(cell, name, "sdk")),
      ]),
    ),
  ]);

/** What was measured of the goals. */
export const judged = (verdicts: readonly Verdict[]): string =>
  aligned([
    ["wire", "workload", "what", "measured", "goal", ""],
    ...verdicts.map(({ wire, workload, what, measured, most }) => [
      wire,
      workload,
      what,
      measured.toFixed(3),
      `≤ ${most.toFixed(3)}`,
      measured > most ? "missed" : "",
    ]),
  ]);

const memoryLine = ({ inputBytes, whileReading, settled, leftPerReply }: Memory): string =>
  `A tool input of ${inputBytes / 2 ** 20} MiB keeps ${times(whileReading)} its size alive while it arrives, ${times(settled)} with its turn; ` +
  `where a thousand replies are read at once, again and again, the heap grows by ${Math.round(leftPerReply)} bytes a reply.`;

/** Ratios only: they hold on another machine. */
export function markdown(measured: readonly Cell[], memory: Memory | undefined): string {
  const named: Readonly<Record<string, string>> = { ...contenders, ...peers };
  const shown = Object.keys(named).filter(
    (name) => name !== "turn" && measured.some((cell) => ratio(cell, name, "turn") !== undefined),
  );
  const head = ["wire", "reply", ...shown];
  const lines = [
    ...Map.groupBy(measured, ({ wire, workload }) => `${wire} ${workload}`).values(),
  ].map((group) => {
    const [{ wire = "", workload = "" } = {}] = group;
    const values = shown.map(
      (name) =>
        group.map((cell) => times(ratio(cell, name, "turn"))).find((value) => value !== "") ?? "–",
    );
    return [wire, workloads[workload] ?? "", ...values];
  });
  const rows = [head, head.map((_, at) => (at < 2 ? "---" : "--:")), ...lines].map(
    (row) => `| ${row.join(" | ")} |`,
  );
  const legend = ["turn", ...shown].map((name) => `- \`${name}\`: ${named[name]}`);
  const command = ["pnpm bench", ...process.argv.slice(2)].join(" ");
  const about = `The CPU time that one reply takes, in multiples of \`turn\`, which is Fullstop: 2× takes twice as long. – was not measured. \`${command}\`: ${circumstances()}.`;
  return [
    about,
    "",
    ...rows,
    "",
    ...legend,
    ...(memory === undefined ? [] : ["", memoryLine(memory)]),
  ].join("\n");
}

const readme = new URL("../../../README.md", import.meta.url);

export async function writeReadme(text: string): Promise<void> {
  await writeFile(readme, filled(await readFile(readme, "utf8"), "bench", text));
}

export interface Result {
  readonly cells: readonly Cell[];
  readonly growths: readonly Growth[];
  readonly verdicts: readonly Verdict[];
  readonly memory: Memory | undefined;
}

export const toJson = ({ cells: measured, growths, verdicts, memory }: Result): object => ({
  circumstances: circumstances(),
  rows: measured.flatMap((cell) =>
    [...cell.samples].map(([contender, rounds]) => ({
      wire: cell.wire,
      workload: cell.workload,
      contender,
      rounds: rounds.length,
      cpuMs: cpu(cell, contender),
      toFloor: ratio(cell, contender, "floor"),
      toSdk: ratio(cell, contender, "sdk"),
    })),
  ),
  growths,
  goals: verdicts,
  ...(memory && { memory }),
});
