import { readFile, writeFile } from "node:fs/promises";
import { cpus } from "node:os";
import { table as markdownTable } from "@tooling/docs/markdown";
import { fillMarks } from "@tooling/docs/marks";
import { type ContenderName, contenderDescriptions } from "./contenders.ts";
import type { Verdict } from "./goals.ts";
import type { Growth } from "./growth.ts";
import { type Cell, cpu, cpuRatio } from "./measure.ts";
import type { Memory } from "./memory.ts";
import { peerDescriptions } from "./peers.ts";
import { workloadDescriptions } from "./workloads.ts";

/** The environment and the date of the measurement. */
export const environment = (): string =>
  `Node ${process.version}, ${process.platform} ${process.arch}, ${cpus().length} × ${cpus()[0]?.model.trim()}, ${new Date().toISOString().slice(0, 10)}`;

const formatRow = (row: readonly string[], widths: readonly number[]): string =>
  row
    .map((cell, at) => (at < 2 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
    .join("  ")
    .trimEnd();

function alignColumns(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  return `${rows.map((row) => formatRow(row, widths)).join("\n")}\n`;
}

const formatTimes = (value: number | undefined): string =>
  value === undefined ? "" : `${value.toFixed(2)}×`;
const formatMs = (value: number | undefined): string =>
  value === undefined ? "" : `${value.toFixed(value < 10 ? 2 : 1)} ms`;

/** The costs of each contender for each workload. */
export const formatTable = (measured: readonly Cell[]): string =>
  alignColumns([
    ["wire", "workload", "contender", "rounds", "CPU", "to floor", "to sdk"],
    ...measured.flatMap((cell) =>
      [...cell.samples].map(([name, rounds]) => [
        cell.wire,
        cell.workload,
        name,
        String(rounds.length),
        formatMs(cpu(cell, name)),
        formatTimes(cpuRatio(cell, name, "floor")),
        formatTimes(cpuRatio(cell, name, "sdk")),
      ]),
    ),
  ]);

/** The measured value of each goal. */
export const formatVerdicts = (verdicts: readonly Verdict[]): string =>
  alignColumns([
    ["wire", "workload", "what", "measured", "goal", ""],
    ...verdicts.map(({ wire, workload, comparison: what, measured, limit: most }) => [
      wire,
      workload,
      what,
      measured.toFixed(3),
      `≤ ${most.toFixed(3)}`,
      measured > most ? "missed" : "",
    ]),
  ]);

const formatMemory = ({ inputBytes, whileReading, settled, leftPerReply }: Memory): string =>
  `A tool input of ${inputBytes / 2 ** 20} MiB keeps ${formatTimes(whileReading)} its size in memory while it arrives, and ${formatTimes(settled)} with its turn. ` +
  `If a thousand replies are read in parallel repeatedly, the heap grows by ${Math.round(leftPerReply)} bytes for each reply.`;

/** What the columns of a table are compared with, if not with `turn`. */
const baseOf: Readonly<Partial<Record<SpeedTable, ContenderName>>> = { gateway: "proxy" };

/** Only ratios, because they are comparable between machines. */
export function formatMarkdown(
  measured: readonly Cell[],
  memory: Memory | undefined,
  table: SpeedTable,
  releases?: string,
): string {
  const base = baseOf[table] ?? "turn";
  const named: Readonly<Record<string, string>> = { ...contenderDescriptions, ...peerDescriptions };
  const shown = Object.keys(named).filter(
    (name) => name !== base && measured.some((cell) => cpuRatio(cell, name, base) !== undefined),
  );
  const rows = measured.map((cell) => [
    cell.wire,
    workloadDescriptions[cell.workload] ?? "",
    ...shown.map((name) => formatTimes(cpuRatio(cell, name, base)) || "–"),
  ]);
  const legend = [base, ...shown].map((name) => `- \`${name}\`: ${named[name]}`);
  const command = ["pnpm bench", ...process.argv.slice(2)].join(" ");
  const about = `The CPU time for one reply, in multiples of \`${base}\`: 2× takes twice as long, and – was not measured. \`${command}\`: ${environment()}.`;
  return [
    about,
    "",
    markdownTable(["wire", "reply", ...shown], rows, 2),
    "",
    ...legend,
    ...(releases === undefined ? [] : ["", releases]),
    ...(memory === undefined ? [] : ["", formatMemory(memory)]),
  ].join("\n");
}

const speedPage = new URL("../../../docs/speed.md", import.meta.url);

/** The tables of docs/speed.md. */
export type SpeedTable = "bench" | "more" | "gateway" | "deltas" | "imports";
export const benchTables: readonly SpeedTable[] = ["bench", "more", "gateway", "deltas"];

/**
 * How the tables that compare with other projects are measured. Each takes one to six minutes on a
 * machine that does nothing else.
 */
export const publishedTables: Readonly<Partial<Record<SpeedTable, string>>> = {
  bench:
    "--peers --workload text,64k,256k,1m --contender floor,sdk,helper,turn,events,loop,vercel,langchain,tanstack,pi --rounds 7 --memory",
  more: "--wire anthropic,chat,responses,bedrock,ollama --workload text,256k --contender floor,sdk,turn,guard,loop --rounds 5",
  deltas:
    "--peers --wire anthropic --workload deltas --contender floor,sdk,helper,turn,loop,vercel,langchain,tanstack,pi --rounds 3",
  imports: "--import --rounds 9",
};

export async function writeSpeedPage(part: SpeedTable, text: string): Promise<void> {
  await writeFile(speedPage, fillMarks(await readFile(speedPage, "utf8"), part, text));
}

export interface Result {
  readonly cells: readonly Cell[];
  readonly growths: readonly Growth[];
  readonly verdicts: readonly Verdict[];
  readonly memory: Memory | undefined;
}

export const toJson = ({ cells: measured, growths, verdicts, memory }: Result): object => ({
  circumstances: environment(),
  rows: measured.flatMap((cell) =>
    [...cell.samples].map(([contender, rounds]) => ({
      wire: cell.wire,
      workload: cell.workload,
      contender,
      rounds: rounds.length,
      cpuMs: cpu(cell, contender),
      toFloor: cpuRatio(cell, contender, "floor"),
      toSdk: cpuRatio(cell, contender, "sdk"),
    })),
  ),
  growths,
  goals: verdicts,
  ...(memory && { memory }),
});
