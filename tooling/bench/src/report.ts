import { readFile, writeFile } from "node:fs/promises";
import { cpus } from "node:os";
import { descriptions as contenders } from "./contenders.ts";
import type { Verdict } from "./goals.ts";
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
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return `${rows.map((row) => cells(row, widths)).join("\n")}\n`;
}

const times = (value: number | undefined): string => (value === undefined ? "" : `${value.toFixed(2)}×`);
const ms = (value: number | undefined): string => (value === undefined ? "" : `${value.toFixed(value < 10 ? 2 : 1)} ms`);

/** Every contender on every workload. */
export const table = (measured: readonly Cell[]): string =>
  aligned([
    ["wire", "workload", "contender", "rounds", "CPU", "to floor", "to sdk"],
    ...measured.flatMap((cell) =>
      [...cell.samples].map(([name, rounds]) => [
        ...[cell.wire, cell.workload, name, String(rounds.length), ms(cpu(cell, name))],
        ...[times(ratio(cell, name, "floor")), times(ratio(cell, name, "sdk"))],
      ]),
    ),
  ]);

/** What was measured of the goals. */
export const judged = (verdicts: readonly Verdict[]): string =>
  aligned([
    ["wire", "workload", "what", "measured", "goal", ""],
    ...verdicts.map(({ wire, workload, what, measured, most }) => [
      ...[wire, workload, what, measured.toFixed(3), `≤ ${most.toFixed(3)}`],
      measured > most ? "missed" : "",
    ]),
  ]);

const memoryLine = ({ inputBytes, whileReading, settled, leftPerReply }: Memory): string =>
  `A tool input of ${inputBytes / 2 ** 20} MiB keeps ${times(whileReading)} its size alive while it arrives, ${times(settled)} with its turn; ` +
  `of a thousand replies at once, ${Math.round(leftPerReply)} bytes each are left.`;

/** Ratios only: they hold on another machine. */
export function markdown(measured: readonly Cell[], memory: Memory | undefined): string {
  const named: Readonly<Record<string, string>> = { ...contenders, ...peers };
  const shown = Object.keys(named).filter((name) => name !== "floor" && measured.some((cell) => ratio(cell, name, "floor") !== undefined));
  const head = ["wire", "workload", ...shown];
  const lines = measured.map((cell) => [
    cell.wire,
    workloads[cell.workload] ?? cell.workload,
    ...shown.map((name) => times(ratio(cell, name, "floor"))),
  ]);
  const rows = [head, head.map((_, at) => (at < 2 ? "---" : "--:")), ...lines].map((row) => `| ${row.join(" | ")} |`);
  const legend = ["floor", ...shown].map((name) => `\`${name}\` ${named[name]}`).join(" · ");
  const memories = memory === undefined ? "" : `\n${memoryLine(memory)}\n`;
  return `CPU of one reply by that of the floor, measured by \`pnpm bench --write\` on ${circumstances()}.\n\n${rows.join("\n")}\n\n${legend}\n${memories}`;
}

const readme = new URL("../../../README.md", import.meta.url);
const [begin, end] = ["<!-- bench -->", "<!-- /bench -->"];

/** Replaces what stands between the two marks. */
export async function writeReadme(text: string): Promise<void> {
  const before = await readFile(readme, "utf8");
  const [from, to] = [before.indexOf(begin), before.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`The README has no place for the table, between ${begin} and ${end}.`);
  await writeFile(readme, `${before.slice(0, from + begin.length)}\n${text}${before.slice(to)}`);
}

export interface Result {
  readonly cells: readonly Cell[];
  readonly verdicts: readonly Verdict[];
  readonly memory: Memory | undefined;
}

export const toJson = ({ cells: measured, verdicts, memory }: Result): object => ({
  circumstances: circumstances(),
  rows: measured.flatMap((cell) =>
    [...cell.samples].map(([contender, rounds]) => ({
      ...{ wire: cell.wire, workload: cell.workload, contender, rounds: rounds.length, cpuMs: cpu(cell, contender) },
      ...{ toFloor: ratio(cell, contender, "floor"), toSdk: ratio(cell, contender, "sdk") },
    })),
  ),
  goals: verdicts,
  ...(memory && { memory }),
});
