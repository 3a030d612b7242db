import { table } from "@tooling/docs/markdown";
import type { CountName, Counts } from "./judge.ts";
import type { LoadResult } from "./load.ts";
import { type RowResult, sumRow } from "./results.ts";
import { scenarioNames, scenarios } from "./scenarios/index.ts";
import type { FaultyRun } from "./scenarios/scenario.ts";
import type { RowName } from "./spec.ts";

const rowTitles: Readonly<Record<RowName, string>> = {
  file: "file",
  sqlite: "SQLite",
  postgres: "PostgreSQL",
  restate: "Restate",
  dbos: "DBOS",
};
const countTitles: Readonly<Record<CountName, string>> = {
  doubled: "effects done twice (0)",
  repeated: "finished calls repeated (0)",
  lost: "results lost or changed (0)",
  missettled: "settled calls without one effect (0)",
  unnoticed: "deletions that were not noticed (0)",
  unended: "runs that never ended (0)",
  doubts: "calls in doubt",
  settled: "… that were settled",
  idempotent: "idempotent calls repeated",
};
/** Those that must be 0 come first. */
const countNames = Object.keys(countTitles) as readonly CountName[];

type Cells = readonly string[];
const header: Cells = [
  "journal",
  "runs",
  ...scenarioNames.map((name) => scenarios[name].title),
  ...countNames.map((name) => countTitles[name]),
  "workers refused: run in use",
  "workers stopped: lease lost",
  "workers stopped: journal deleted",
];

function cellsOf(result: RowResult): Cells {
  const title = rowTitles[result.row];
  if ("skipped" in result) return [title, "skipped"];
  const all = Object.values(result.scenarios).filter((each) => each !== null);
  const counts: Counts = sumRow(result);
  return [
    title,
    String(all.reduce((sum, { runs }) => sum + runs, 0)),
    ...scenarioNames.map((name) => formatTimes(result.scenarios[name])),
    ...countNames.map((name) => formatCount(counts[name])),
    ...["in-use", "lost", "deleted"].map((kind) =>
      String(all.reduce((sum, { rejected }) => sum + (rejected[kind] ?? 0), 0)),
    ),
  ];
}
/** A row that was measured by an earlier release may lack a count. */
const formatCount = (count: number): string => (Number.isNaN(count) ? "–" : String(count));
const formatTimes = (found: { readonly times: number } | null | undefined): string =>
  found === undefined || found === null ? "–" : String(found.times);

/** The table for a terminal: a line for each count, a column for each row. */
export function formatTable(results: readonly RowResult[]): string {
  const lines = formatColumns([header, ...results.map(cellsOf)]);
  const skipped = results.flatMap((result) =>
    "skipped" in result ? [`${rowTitles[result.row]}: skipped. ${result.skipped}`] : [],
  );
  const seeds = results.map(({ row, seed }) => `${rowTitles[row]} ${seed}`).join(", ");
  return [...lines, ...skipped, `Seeds: ${seeds}`, ""].join("\n");
}

/** The first column is the header. */
function formatColumns(columns: readonly Cells[]): readonly string[] {
  const widths = columns.map((cells) => Math.max(...cells.map((cell) => cell.length)));
  return (columns[0] ?? []).map((title, line) =>
    [
      title.padEnd(widths[0] ?? 0),
      ...columns.slice(1).map((cells, at) => (cells[line] ?? "").padStart(widths[at + 1] ?? 0)),
    ].join("  "),
  );
}

/** The first column is the header. */
function formatMarkdownTable([titles = [], ...columns]: readonly Cells[]): string {
  const [head = [], ...rows] = titles.map((title, line) => [
    title,
    ...columns.map((cells) => cells[line] ?? ""),
  ]);
  return table(head, rows);
}

/** The page `docs/durable-table.md`. */
export function formatPage(results: readonly RowResult[], loads: readonly LoadResult[]): string {
  const measured = results.flatMap((result) => ("skipped" in result ? [] : [result]));
  const skipped = results.flatMap((result) =>
    "skipped" in result ? [`- ${rowTitles[result.row]} was skipped: ${result.skipped}`] : [],
  );
  const how = measured.map(
    ({ row, version, cores, seconds, seed, date }) =>
      `- ${rowTitles[row]}: ${version}, ${cores} cores, ${Math.round(seconds)} s, seed ${seed}, ${date}`,
  );
  return [
    "# Durable runs: the measured table",
    "",
    "`pnpm durable` writes this page. A witness outside of the worker processes makes the effects of the tools and counts them.",
    "",
    formatMarkdownTable([header, ...results.map(cellsOf)]),
    "",
    "What was done to the workers:",
    "",
    ...scenarioNames.map((name) => `- ${scenarios[name].title}: ${scenarios[name].what}`),
    "",
    "The counts with (0) must be 0. A dash: the row has no server that could be killed, no connection that could be cut, or no table that could be locked, or this was not measured.",
    "While a table was locked or a disk was full, the run had to end by itself. A run whose journal was deleted had to be stopped for this reason: if it had gone on, the next start would have repeated its effects without a word.",
    "A full disk is a limit on the size of files for a file and SQLite, and an error 53100 of each insert for PostgreSQL.",
    "A call in doubt had started when its process was killed, and its result was not recorded: it did not run again by itself. In a part of the runs somebody who",
    "knows the witness settled it, and its effect then had to exist exactly once. An idempotent call may be repeated.",
    "Leases were one second long. SIGKILL ends a process, not the machine: what a disk keeps when the power fails was not measured.",
    "",
    "Measured with:",
    "",
    ...how,
    ...skipped,
    "",
    ...formatLoadSection(loads),
  ].join("\n");
}

const loadHeader: Cells = [
  "journal",
  "runs",
  "workers killed",
  ...countNames.map((name) => countTitles[name]),
  "seconds",
  "runs a second",
  "runs a core second",
  "steps a core second",
];
const loadCells = ({ row, runs, steps, kills, counts, seconds, cpuSeconds }: LoadResult): Cells => [
  rowTitles[row],
  String(runs),
  String(kills),
  ...countNames.map((name) => formatCount(Number(counts[name]))),
  seconds.toFixed(1),
  (runs / seconds).toFixed(1),
  (runs / cpuSeconds).toFixed(1),
  (steps / cpuSeconds).toFixed(0),
];

export const formatLoads = (loads: readonly LoadResult[]): string =>
  `${formatColumns([loadHeader, ...loads.map(loadCells)]).join("\n")}\n`;

const formatLoadSection = (loads: readonly LoadResult[]): readonly string[] =>
  loads.length === 0
    ? []
    : [
        "## Load",
        "",
        "`pnpm durable --load`: four worker processes take runs from a folder, eight at a time, and one of them is killed every two seconds. A step is a reply or a call.",
        "A core second is a second of CPU time of the workers, with the start of each process; the database has its own.",
        "",
        formatMarkdownTable([loadHeader, ...loads.map(loadCells)]),
        "",
        ...loads.map(
          ({ row, version, cores, seed, date }) =>
            `- ${rowTitles[row]}: ${version}, ${cores} cores, seed ${seed}, ${date}`,
        ),
        "",
      ];

/** What happened to a run with a fault, and how to repeat it. */
export function formatFaulty(
  { run, counts, lines }: FaultyRun,
  {
    row,
    scenario,
    seed,
  }: { readonly row: string; readonly scenario: string; readonly seed: number },
): string {
  const log = lines.map((line) => `  ${JSON.stringify(line)}`).join("\n");
  return `${row}, ${run}: ${JSON.stringify(counts)}\n${log}\n  again: pnpm durable --only ${row} --scenario ${scenario} --seed ${seed}\n`;
}
