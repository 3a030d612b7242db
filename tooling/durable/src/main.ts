import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "@tooling/install/process";
import type { LoadResult } from "./load.ts";
import { measureRow } from "./measure.ts";
import { help, type Options, parseOptions } from "./options.ts";
import { formatPage, formatTable } from "./report.ts";
import { isSoundRow, type RowResult } from "./results.ts";
import { scenarioNames } from "./scenarios/index.ts";
import { rowNames } from "./spec.ts";

const writeOut = (text: string): void => void process.stdout.write(text);
const writeError = (text: string): void => void process.stderr.write(text);

// The reader of the output may close the pipe.
process.stdout.on("error", () => process.exit());

const options = parseOptions(process.argv.slice(2));
if (options === "help") writeOut(help);
else if ("wrong" in options) {
  writeError(`${options.wrong}\nSee pnpm durable --help.\n`);
  process.exitCode = 2;
} else process.exit((await runMode(options)) ? 0 : 1);

async function runMode(options: Options): Promise<boolean> {
  writeError(`seed ${options.seed}\n`);
  return await measureTable(options);
}

async function measureTable(options: Options): Promise<boolean> {
  const results: RowResult[] = [];
  const isWhole = options.mode === "table" && options.scenarios.length === scenarioNames.length;
  for (const row of options.only) {
    const result = await measureRow(row, options);
    if ("skipped" in result) writeError(`${row}: skipped. ${result.skipped}\n`);
    results.push(result);
    if (isWhole) writePage({ rows: [result] });
  }
  writeOut(formatTable(results));
  return results.every(isSoundRow);
}

interface Stored {
  readonly rows: readonly RowResult[];
  readonly loads: readonly LoadResult[];
}
const resultsFile = join(root, "tooling/durable/results.json");
const pageFile = join(root, "docs/durable-table.md");

/** Writes what was measured, and keeps the rows that were not. */
function writePage({ rows = [], loads = [] }: Partial<Stored>): void {
  const before: Stored = existsSync(resultsFile)
    ? (JSON.parse(readFileSync(resultsFile, "utf8")) as Stored)
    : { rows: [], loads: [] };
  const merge = <Each extends { readonly row: string }>(
    old: readonly Each[],
    given: readonly Each[],
  ): readonly Each[] =>
    rowNames.flatMap((name) => [...given, ...old].find(({ row }) => row === name) ?? []);
  const after: Stored = {
    rows: merge(before.rows, rows),
    loads: merge(before.loads, loads),
  };
  writeFileSync(resultsFile, `${JSON.stringify(after, null, 2)}\n`);
  writeFileSync(pageFile, formatPage(after.rows, after.loads));
}
