import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "@tooling/publish/process";
import { runControls } from "./controls.ts";
import { isSound } from "./judge.ts";
import { type LoadResult, measureLoad } from "./load.ts";
import { measureRow } from "./measure.ts";
import { help, type Mode, type Options, parseOptions } from "./options.ts";
import { formatLoads, formatPage, formatTable } from "./report.ts";
import { isSoundRow, type RowResult } from "./results.ts";
import { scenarioNames } from "./scenarios/index.ts";
import { rowNames } from "./spec.ts";
import { writeError, writeOut } from "./write.ts";

// The reader of the output may close the pipe.
process.stdout.on("error", () => process.exit());

const modes: Readonly<Record<Mode, (options: Options) => Promise<boolean>>> = {
  table: measureTable,
  quick: measureTable,
  load: measureLoads,
  controls: proveControls,
};
const resultsFile = join(root, "tooling/durable/results.json");
const pageFile = join(root, "docs/durable-table.md");

const options = parseOptions(process.argv.slice(2));
if (options === "help") writeOut(help);
else if ("wrong" in options) {
  writeError(`${options.wrong}\nSee pnpm durable --help.\n`);
  process.exitCode = 2;
} else process.exit((await runMode(options)) ? 0 : 1);

function runMode(options: Options): Promise<boolean> {
  writeError(`seed ${options.seed}\n`);
  return modes[options.mode](options);
}

async function measureLoads(options: Options): Promise<boolean> {
  const loads: LoadResult[] = [];
  for (const row of options.only) {
    const result = await measureLoad(row, options.seed);
    if ("skipped" in result) writeError(`${row}: skipped. ${result.skipped}\n`);
    else {
      loads.push(result);
      writePage({ loads: [result] });
    }
  }
  writeOut(formatLoads(loads));
  return loads.every(({ counts }) => isSound(counts));
}

async function proveControls({ seed }: Options): Promise<boolean> {
  const results = await runControls(seed);
  for (const { fault, isCaught, text } of results)
    writeOut(`${isCaught ? "caught" : "NOT CAUGHT"}  ${fault.padEnd(16)} ${text}\n`);
  return results.every(({ isCaught }) => isCaught);
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
