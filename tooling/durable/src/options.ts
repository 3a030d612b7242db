import { parseArgs } from "node:util";
import { formatRows, type Parsed, parsed, parseNames, parseSeed } from "@tooling/test/options";
import { type ScenarioName, scenarioNames, scenarios } from "./scenarios/index.ts";
import { type FaultName, type RowName, rowNames } from "./spec.ts";

export type Mode = "table" | "quick" | "load" | "controls";
export interface Options {
  readonly mode: Mode;
  readonly only: readonly RowName[];
  readonly scenarios: readonly ScenarioName[];
  readonly seed: number;
}

const optionSpec = {
  quick: { type: "boolean", default: false },
  load: { type: "boolean", default: false },
  controls: { type: "boolean", default: false },
  only: { type: "string" },
  scenario: { type: "string" },
  seed: { type: "string" },
  help: { type: "boolean", short: "h", default: false },
} as const;

const rowTexts: Readonly<Record<RowName, string>> = {
  file: "@fullstop/journal-file",
  sqlite: "@fullstop/journal-sqlite",
  postgres: "@fullstop/journal-postgres",
  restate: "@fullstop/restate: a workflow, and the journal in Restate",
  dbos: "the recipe docs/recipes/dbos: a workflow of DBOS, and the journal in PostgreSQL",
};
const faultTexts: Readonly<Record<FaultName, string>> = {
  "forgets-begin": "a step that did not end is run again, as a step of an engine",
  "has-no-lease": "each process may write each run",
  "ends-too-early": "a result is acknowledged before it is written",
  "by-ordinal": "a step is found by its order, not by its key",
  "waits-for-lock": "a write waits for a lock for ever",
  "waits-for-space": "a write waits for space for ever",
  "outlives-deletion": "a file that was deleted is written again",
};

const scenarioTexts = Object.fromEntries(
  Object.entries(scenarios).map(([name, { what, times }]) => [name, `${what} (${times} times)`]),
);

export const help = `pnpm durable [options]

Kills, pauses and cuts off real worker processes while they run an agent, and counts what happened to its effects. A run has four turns; in one of them
three calls run side by side: one is idempotent, one is not, one is slow. A witness outside of the workers makes the effects and counts them.
The ways to keep a run:
${formatRows(rowTexts, 15)}

What happens to the workers:
${formatRows(scenarioTexts, 15)}

Must be 0: effects done twice, finished calls that ran again, results that were lost or changed, settled calls without exactly one effect, runs that
went on after their journal was deleted, and runs that never end. The table goes to docs/durable-table.md. A row whose server cannot be had is skipped, and does not count as passed;
FULLSTOP_INSTALL_SERVICES=1 installs PostgreSQL and Restate from npm.

  --only a,b        ${rowNames.join(", ")} (default: all); the other rows of the table stay
  --scenario a,b    ${scenarioNames.join(", ")} (default: all); writes nothing
  --seed n          an integer; the same seed chooses the same points and times (default: random)
  --quick           a few of each for file, sqlite and postgres, in less than a minute; writes nothing
  --load            1,000 runs on four workers, one of which is killed every two seconds; for sqlite and postgres by default
  --controls        shows that faults of a journal are counted:
${formatRows(faultTexts, 15).replaceAll(/^/gm, "    ")}
  --help            prints this text

Exit codes: 0 all counts that must be 0 are 0; 1 one of them is not, or a control was not caught; 2 an invalid option; 130 or 143 stopped by a signal.

  pnpm durable --only postgres --scenario kills --seed 7
  pnpm durable --controls
`;

/** Parses the options. Returns a sentence if one of them is wrong. */
export const parseOptions = (args: readonly string[]): Parsed<Options> =>
  parsed(() => {
    const { values } = parseArgs({ args: [...args], options: optionSpec });
    if (values.help) return "help";
    const modes = (["quick", "load", "controls"] as const).filter((mode) => values[mode]);
    if (modes.length > 1) throw new Error(`--${modes.join(" and --")} cannot be combined.`);
    const mode = modes[0] ?? "table";
    return {
      mode,
      only:
        values.only === undefined ? defaultRows[mode] : parseNames("only", values.only, rowNames),
      scenarios: parseNames("scenario", values.scenario, scenarioNames),
      seed: parseSeed(values.seed),
    };
  });

const defaultRows: Readonly<Record<Mode, readonly RowName[]>> = {
  table: rowNames,
  quick: ["file", "sqlite", "postgres"],
  load: ["sqlite", "postgres"],
  controls: [],
};
