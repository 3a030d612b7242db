import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { textTable } from "@tooling/docs/markdown";
import { fillMarks } from "@tooling/docs/marks";
import { parseNames, readCommandLine } from "@tooling/test/options";
import { runCommand } from "../command.ts";
import { buildAll } from "../install/build.ts";
import { root, scratch, step } from "../install/process.ts";
import { bundleSubjects } from "./bundle.ts";
import type { RuntimeResult } from "./judged.ts";
import { type TestedPackage, testedPackages } from "./packages.ts";
import { type RuntimeName, runtimeNames, runtimes } from "./runtimes.ts";

/** The results by package, then by runtime; only those that were run. */
type Results = ReadonlyMap<string, Map<RuntimeName, RuntimeResult>>;

const folder = scratch("runtimes");
const runtimesHelp = `Builds the packages, runs the conformance suite with what was built on Node 22.12, 24 and 26, Bun, Deno and workerd, and prints how many clauses are kept on each.

  pnpm runtimes [--package a,b] [--runtime a,b] [--write]

  --package   core, guard, loop or a provider; default: all. provider-openai-compatible runs on Node 22 only
  --runtime   ${runtimeNames.join(", ")}; default: all
  --write     writes the table to docs/runtimes.md; not with --package or --runtime

The first run downloads the runtimes from npm into node_modules/.cache. Exit codes: 0 all clauses are kept; 1 a clause is broken; 2 an invalid option.
`;

/** @throws Error if an option or a name is unknown, or if two options exclude each other. */
function parseRuntimeOptions() {
  const { values } = parseArgs({
    options: {
      package: { type: "string" },
      runtime: { type: "string" },
      write: { type: "boolean", default: false },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.write && (values.package || values.runtime))
    throw new Error("--write writes the whole table: remove --package and --runtime.");
  const all = testedPackages();
  const known = all.map(({ name }) => name);
  const names = parseNames("package", values.package, known);
  const packages = all.filter(({ name }) => names.includes(name));
  return { values, packages, on: parseNames("runtime", values.runtime, runtimeNames) };
}

const { values: chosen, packages, on } = readCommandLine(runtimesHelp, parseRuntimeOptions);
await runCommand(main);

async function main(): Promise<string> {
  await step("building", buildAll);
  const results: Results = new Map(
    packages.map(({ name }) => [name, new Map<RuntimeName, RuntimeResult>()]),
  );
  for (const name of on) await runOn(name, packages, results);
  const made = tableOf(packages, on, results);
  if (chosen.write && process.exitCode !== 1) {
    const page = join(root, "docs/runtimes.md");
    writeFileSync(page, fillMarks(readFileSync(page, "utf8"), "runtimes", made));
  }
  return made;
}

/** Judges the packages on one runtime. */
async function runOn(
  runtime: RuntimeName,
  packages: readonly TestedPackage[],
  results: Results,
): Promise<void> {
  const { prepare, all, ...how } = runtimes[runtime];
  const run = await prepare();
  for (const { name, tests, everywhere } of packages) {
    if (!everywhere && !all) continue;
    const file = join(folder, `${runtime.replace(" ", "-")}-${name}.mjs`);
    const judged = await step(`${name} on ${runtime}`, async () => {
      await bundleSubjects({ ...how, tests, file });
      return JSON.parse(await run(file)) as RuntimeResult;
    });
    results.get(name)?.set(runtime, judged);
    if (judged.broken.length > 0) process.exitCode = 1;
    for (const sentence of judged.broken) process.stderr.write(`  ${sentence}\n`);
  }
}

function countCell(judged: RuntimeResult | undefined): string {
  if (judged === undefined) return "–";
  const { kept, broken } = judged;
  return broken.length > 0 ? `**${broken.length} broken**` : `${kept} kept`;
}

/** The results as a Markdown table. */
function tableOf(
  packages: readonly TestedPackage[],
  on: readonly RuntimeName[],
  results: Results,
): string {
  const head = on.map((name) => `${name.split(" ")[0]} ${runtimes[name].version}`);
  const rows = packages.map(({ name }) => [
    `\`${name}\``,
    ...on.map((runtime) => countCell(results.get(name)?.get(runtime))),
  ]);
  return textTable(["package", ...head], rows);
}
