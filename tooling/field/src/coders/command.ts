import { writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type CoderField, type CoderRun, coderFile, readCoders } from "@tooling/docs/coders";
import { fieldReport, readField } from "@tooling/docs/field";
import { fieldText } from "@tooling/docs/field-report";
import { fieldSections } from "@tooling/docs/guarded";
import { cache, root, scratch } from "@tooling/publish/process";
import { checkNames } from "../check-names.ts";
import { findNewestPackage } from "../newest.ts";
import type { Coder } from "./coder.ts";
import { startGuard } from "./gateway.ts";
import { coders } from "./list.ts";
import { measureCoder, type Side } from "./measure.ts";
import { mergeCoderResults } from "./results.ts";
import { type Scenario, scenarios } from "./scenarios.ts";

const coderNames = coders.map(({ name }) => name);
const scenarioNames = scenarios.map(({ name }) => name);

/** What `--help` says about the agents. */
export const coderHelp = `  pnpm field --coders [--only NAME...] [--side before|after] [--scenario NAME]

Starts finished coding agents against a provider on the loopback that breaks its replies: without the guard, and behind its gateway.
Each run has an empty home, an empty folder, no key, and proxy settings that lead nowhere. What ran is decided by files, not by the agent's words.
Writes ${coderFile} and ${fieldReport}.

  --only     ${coderNames.join(", ")};
             by default all of them. The results of the others stay as they are.
  --side     asks only without the guard (before) or only behind it (after). The other results stay as they are.
  --scenario plays only this reply; may be repeated: ${scenarioNames.join(", ")}. The other results stay as they are.

The first run installs about 4 GB from npm and PyPI into node_modules/.cache/tools; the agents from PyPI need Python 3.11 and 3.12.
A complete run takes about an hour on two cores. mini-swe-agent, Open Interpreter and aider import LiteLLM at each start, which takes 7 s of CPU time: on a busy machine such an agent takes a quarter of an hour for one side. An agent that cannot be installed or started is "not run", and the report says why.
`;

/** The time limit of one run. */
const runTimeoutMs = 120_000;

interface CoderOptions {
  readonly asked: readonly Coder[];
  readonly sides: readonly Side[];
  readonly scenarios: readonly Scenario[];
}

/** The options behind `--coders`. Throws for a wrong option. */
export function parseCoderOptions(args: readonly string[]): CoderOptions {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      coders: { type: "boolean" },
      only: { type: "string", multiple: true },
      side: { type: "string" },
      scenario: { type: "string", multiple: true, default: scenarioNames },
    },
  });
  const { only, side, scenario } = values;
  if (only === undefined && positionals.length > 0)
    throw new Error(`Write --only ${positionals.join(" ")}. --help shows all options.`);
  if (side !== undefined && side !== "before" && side !== "after")
    throw new Error(`--side is before or after, not ${side}.`);
  const chosen = only === undefined ? coderNames : [...only, ...positionals];
  checkNames("agent", chosen, coderNames);
  checkNames("scenario", scenario, scenarioNames);
  return {
    asked: coders.filter(({ name }) => chosen.includes(name)),
    sides: side === undefined ? ["before", "after"] : [side],
    scenarios: scenarios.filter(({ name }) => scenario.includes(name)),
  };
}

function printRun(name: string, { effect, requests, exitCode }: CoderRun): void {
  const end = exitCode === undefined ? "did not end" : `exit ${exitCode}`;
  process.stderr.write(`${name}: ${effect}, ${requests} requests, ${end}\n`);
}

/** The results are written after each agent, so that an interruption loses only the last one. */
export function writeCoders(results: CoderField): void {
  writeFileSync(join(root, coderFile), `${JSON.stringify(results, null, 1)}\n`);
  const field = readField();
  writeFileSync(join(root, fieldReport), fieldText(field, fieldSections(field)));
}

/** Runs `pnpm field --coders`. */
export async function measureCoders({ asked, ...chosen }: CoderOptions): Promise<void> {
  // The folders of the runs are removed when this process ends.
  process.env["TMPDIR"] = scratch("coders");
  // Each run starts its programs anew.
  process.env["NODE_COMPILE_CACHE"] ??= join(cache, "tools/compiled");
  let results = readCoders();
  for (const coder of asked) {
    const measured = await measureCoder(coder, {
      ...chosen,
      between: startGuard,
      timeoutMs: runTimeoutMs,
      jobs: availableParallelism(),
      onRun: printRun,
    });
    if (measured.notRun !== undefined)
      process.stderr.write(`${coder.title}: not run: ${measured.notRun}\n`);
    const newest = await findNewestPackage(coder.origin);
    results = mergeCoderResults(results, [{ ...measured, ...(newest && { newest }) }]);
    writeCoders(results);
  }
}
