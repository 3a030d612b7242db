import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { formatFirstByte, measureFirstByte } from "./first-byte.ts";
import { comparedOn, isExceeded, slack, type Verdict, verdictsOf } from "./goals.ts";
import { growingWorkloads } from "./growing.ts";
import { type Growth, measureGrowth } from "./growth.ts";
import { formatImports, isImportMissed, measureImports } from "./import-times.ts";
import { formatJournals, measureJournals } from "./journal-times.ts";
import type { Cell } from "./measure.ts";
import { measureMemory, memoryVerdicts } from "./memory.ts";
import { help, type Options, parseOptions } from "./options.ts";
import { installPeers } from "./peers.ts";
import { comparedReleases, proveNewest } from "./releases.ts";
import {
  formatMarkdown,
  formatTable,
  formatVerdicts,
  publishedTables,
  type Result,
  toJson,
  writeSpeedPage,
} from "./report.ts";
import { type BenchPlan, measureAll, withServer } from "./session.ts";
import { workloads } from "./workloads.ts";

const main = fileURLToPath(import.meta.url);
const writeError = (line: string): void => void process.stderr.write(`${line}\n`);
const writeOut = (text: string): void => void process.stdout.write(text);

/** How often `--check` measures what missed its goal: a single measurement may be noise. */
const mostMeasurements = 3;

const options = parseOptions(process.argv.slice(2));
if (options === "help") writeOut(help);
else if ("wrong" in options) {
  writeError(`${options.wrong}\nSee pnpm bench --help.`);
  process.exitCode = 2;
} else if (options.publish) publish();
else if (options["first-byte"]) writeOut(formatFirstByte(await withServer(measureFirstByte)));
else if (options.journals) writeOut(formatJournals(await withServer(measureJournals)));
else if (options.import) await runImports(options);
else await runBench(options);

async function runImports({ rounds, write, check }: Options): Promise<void> {
  const times = await measureImports(rounds);
  const releases = write ? await proveNewest(comparedReleases(["anthropic"], ["sdk"])) : undefined;
  const table = formatImports(times, rounds, releases);
  writeOut(`${table}\n`);
  if (write) await writeSpeedPage("imports", table);
  const missed = times.filter(isImportMissed).map(({ what }) => what);
  if (!check || missed.length === 0) return;
  writeError(`The import of ${missed.join(", ")} exceeded ${slack} times its goal.`);
  process.exitCode = 1;
}

/** Each table has a process of its own, because the page names the command that repeats it. */
function publish(): void {
  for (const [table, words] of Object.entries(publishedTables)) {
    const args = [
      "--write",
      ...(["bench", "imports"].includes(table) ? [] : ["--table", table]),
      ...words.split(" "),
    ];
    writeError(`pnpm bench ${args.join(" ")}`);
    const { status } = spawnSync(process.execPath, [...process.execArgv, main, ...args], {
      stdio: "inherit",
    });
    if (status === 0) continue;
    process.exitCode = 1;
    return;
  }
}

async function runBench(asked: Options): Promise<void> {
  const releases = asked.write
    ? await proveNewest(comparedReleases(asked.wires, asked.contenders))
    : undefined;
  let measured = await measureAsked(asked);
  for (let count = 1; asked.check && count < mostMeasurements; count++) {
    const missed = verdictsOf(measured.cells, measured.growths).filter(isExceeded);
    if (missed.length === 0) break;
    measured = replaced(measured, await measureAsked(onlyMissed(asked, missed)));
  }
  const { cells, growths } = measured;
  const memory = asked.memory ? await withServer(measureMemory) : undefined;
  const verdicts = [...verdictsOf(cells, growths), ...(memory ? memoryVerdicts(memory) : [])];
  await printResult(asked, { cells, growths, verdicts, memory }, releases);
  const exceeded = verdicts.filter(isExceeded);
  if (!asked.check || exceeded.length === 0) return;
  const names = exceeded.map(
    ({ wire, workload, comparison }) => `${wire} ${workload} ${comparison}`,
  );
  writeError(
    `In ${mostMeasurements} consecutive runs, these exceeded ${slack} times their goal, or ${slack} times ` +
      `the value that goals.ts has for a goal that is missed: ${names.join(", ")}.`,
  );
  process.exitCode = 1;
}

const keyOf = ({ wire, workload }: Cell | Growth): string => `${wire} ${workload}`;
/** The results, with those that were measured again in the place of the earlier ones. */
function replaced(before: Measured, again: Measured): Measured {
  const replace = <Item extends Cell | Growth>(items: readonly Item[], newer: readonly Item[]) =>
    items.map((item) => newer.find((one) => keyOf(one) === keyOf(item)) ?? item);
  return {
    cells: replace(before.cells, again.cells),
    growths: replace(before.growths, again.growths),
  };
}

/** Selects the missed goals for another measurement. */
function onlyMissed(
  asked: Options,
  missed: readonly Pick<Verdict, "wire" | "workload">[],
): Options {
  const wires = asked.wires.filter((name) => missed.some(({ wire }) => wire === name));
  return {
    ...asked,
    wires,
    workloads: asked.workloads.filter((name) => missed.some(({ workload }) => workload === name)),
  };
}

type Measured = Pick<Result, "cells" | "growths">;
async function measureAsked({
  wires,
  workloads: names,
  contenders,
  rounds,
  peers,
  check,
}: Options): Promise<Measured> {
  if (peers) await installPeers(writeError);
  const chosen = workloads.filter(({ name }) => names.includes(name));
  const wanted: BenchPlan["contenders"] = (wire, workload) =>
    check ? contenders.filter((name) => comparedOn(wire, workload).includes(name)) : contenders;
  const cells =
    chosen.length > 0
      ? await measureAll({ wires, workloads: chosen, contenders: wanted, rounds }, writeError)
      : [];
  const growths = await measureGrowth(
    wires,
    growingWorkloads.filter(({ name }) => names.includes(name)),
    writeError,
  );
  return { cells, growths };
}

async function printResult(
  { print: how, write, table }: Options,
  result: Result,
  releases: string | undefined,
): Promise<void> {
  const { cells, verdicts, memory } = result;
  if (write) await writeSpeedPage(table, formatMarkdown(cells, memory, table, releases));
  if (how === "json") writeOut(`${JSON.stringify(toJson(result), null, 2)}\n`);
  else if (how === "markdown") writeOut(`${formatMarkdown(cells, memory, table)}\n`);
  else writeOut(`${cells.length > 0 ? `${formatTable(cells)}\n` : ""}${formatVerdicts(verdicts)}`);
}
