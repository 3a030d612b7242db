import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import type { ReportedSubject } from "@fullstop/conformance";
import {
  type Field,
  fieldFile,
  fieldPage,
  fieldPageFile,
  fieldReport,
  fieldSummary,
  fieldText,
  readField,
} from "@tooling/docs/field";
import { gatewayFile } from "@tooling/docs/gateways";
import { fieldSections, guardedFile, readGuarded } from "@tooling/docs/guarded";
import { fillMarks } from "@tooling/docs/marks";
import { cache, root, scratch } from "@tooling/install/process";
import { coderHelp, measureCoders } from "./coders/command.ts";
import { type FieldGateway, gateways } from "./gateways.ts";
import { guardGateway } from "./guard.ts";
import { examples, updateVersions } from "./install.ts";
import { measureSystem } from "./measure.ts";
import { measureGateways } from "./measure-gateway.ts";
import { differences, mergeResults } from "./results.ts";
import { type System, systems } from "./systems.ts";

const names = systems.map(({ name }) => name);
const gatewayNames = gateways.map(({ name }) => name);
const help = `Runs the agent clauses of the suite against current releases of other systems, and writes the results:
${fieldFile}, ${fieldReport}, a sentence in README.md, and ${fieldPageFile}, which git ignores.

  pnpm field [--only NAME...] [--update] [--guarded]
  pnpm field --gateways [--only NAME...]
  pnpm field --html

  --only     ${names.join(", ")};
             by default all of them. The results of the others stay as they are.
  --update   first writes the newest versions that npm can install to the package.json of the drivers
  --guarded  asks the systems again behind the gateway of this repository, and writes ${guardedFile} and ${fieldReport}
  --gateways asks LLM gateways instead of systems: ${gatewayNames.join(", ")}; writes ${gatewayFile} and ${fieldReport}
  --html     only writes ${fieldPageFile}, from the results that are there

The first run installs about 500 MB from npm into node_modules/.cache/field. A complete run takes about seven minutes on two cores, and with --guarded longer: clients wait before they ask again.
A system that cannot be installed or started is "not run", and the report says why. The command prints each verdict that has changed.
Exit codes: 0 measured, with any verdicts; 1 the results cannot be measured or written. Ctrl-C ends all started processes and writes nothing.

${coderHelp}`;

interface Options {
  readonly asked: readonly System[];
  readonly update: boolean;
  readonly html: boolean;
  readonly guarded: boolean;
  /** The gateways that are asked instead of systems. */
  readonly gateways: readonly FieldGateway[];
}

/** The options of the command line, or nothing if they ask for help. Throws for a wrong option. */
function parseOptions(): Options | undefined {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      only: { type: "string", multiple: true },
      update: { type: "boolean", default: false },
      html: { type: "boolean", default: false },
      guarded: { type: "boolean", default: false },
      gateways: { type: "boolean", default: false },
      help: { type: "boolean", short: "h", default: false },
      coders: { type: "boolean", default: false },
    },
  });
  const { help, html, update, only, guarded, gateways: asksGateways } = values;
  if (help) return undefined;
  if (only === undefined && positionals.length > 0)
    throw new Error(`Write --only ${positionals.join(" ")}. --help shows all options.`);
  if (html && (update || guarded || asksGateways || only !== undefined))
    throw new Error("--html measures nothing: leave the other options out.");
  if (asksGateways && (update || guarded))
    throw new Error("--update and --guarded are for systems: leave them out.");
  const known = asksGateways ? gatewayNames : names;
  const chosen = only === undefined ? known : checkNames([...only, ...positionals], known);
  return {
    asked: systems.filter(({ name }) => chosen.includes(name)),
    gateways: asksGateways ? gateways.filter(({ name }) => chosen.includes(name)) : [],
    update,
    html,
    guarded,
  };
}

/** Throws for a name that is not known. */
function checkNames(chosen: readonly string[], known: readonly string[]): readonly string[] {
  const unknown = chosen.filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw new Error(`Unknown name: ${unknown.join(", ")}. Known are ${known.join(", ")}.`);
  return chosen;
}

/** Prints the result of each configuration, with the seconds since the last one. */
function createProgress(): (subject: ReportedSubject) => void {
  let began = performance.now();
  return ({ name, findings }) => {
    const all = Object.values(findings);
    const count = (status: string): number => all.filter((found) => found.status === status).length;
    const reason = all.find(({ status }) => status === "not-run")?.reason;
    const result =
      reason === undefined
        ? `${count("kept")} kept, ${count("broken")} broken`
        : `not run: ${reason}`;
    process.stderr.write(
      `${name}: ${result}, ${((performance.now() - began) / 1000).toFixed(1)} s\n`,
    );
    began = performance.now();
  };
}

async function measure({ asked, update, guarded }: Options): Promise<void> {
  // The folders of the drivers are removed when this process ends.
  process.env["TMPDIR"] = scratch("field");
  // Each run starts its programs anew.
  process.env["NODE_COMPILE_CACHE"] ??= join(cache, "field/compiled");
  if (update)
    for (const { name } of asked)
      process.stderr.write(`${await updateVersions(join(examples, name), name)}\n`);
  const onSubject = createProgress();
  const through = guarded ? guardGateway : undefined;
  const results = [];
  for (const system of asked) results.push(await measureSystem(system, { through, onSubject }));
  const before = guarded ? readGuarded() : readFieldIfThere();
  const { version } = JSON.parse(
    readFileSync(join(root, "packages/conformance/package.json"), "utf8"),
  ) as { readonly version: string };
  const merged = mergeResults(before, results, version);
  if (guarded) writeGuarded(merged);
  else writeResults(merged);
  const changes = differences(before, results);
  process.stdout.write(changes.length === 0 ? "No verdict changed.\n" : `${changes.join("\n")}\n`);
}

const readFieldIfThere = (): Field | undefined =>
  existsSync(join(root, fieldFile)) ? readField() : undefined;

const write = (file: string, text: string): void => writeFileSync(join(root, file), text);

function writeResults(field: Field): void {
  const readme = readFileSync(join(root, "README.md"), "utf8");
  write(fieldFile, `${JSON.stringify(field, null, 1)}\n`);
  write(fieldReport, fieldText(field, fieldSections(field)));
  write("README.md", fillMarks(readme, "field", fieldSummary(field)));
  writePage(field);
}

function writeGuarded(guarded: Field): void {
  write(guardedFile, `${JSON.stringify(guarded, null, 1)}\n`);
  const field = readField();
  write(fieldReport, fieldText(field, fieldSections(field)));
}

async function writeGateways(asked: readonly FieldGateway[]): Promise<void> {
  write(gatewayFile, `${JSON.stringify(await measureGateways(asked), null, 1)}\n`);
  const field = readField();
  write(fieldReport, fieldText(field, fieldSections(field)));
}

function writePage(field: Field): void {
  mkdirSync(join(root, dirname(fieldPageFile)), { recursive: true });
  write(fieldPageFile, fieldPage(field));
  process.stdout.write(`Wrote ${fieldPageFile}.\n`);
}

try {
  const args = process.argv.slice(2);
  const ofCoders = args.includes("--coders") && !args.includes("--help");
  const options = ofCoders ? undefined : parseOptions();
  if (ofCoders) await measureCoders(args);
  else if (options === undefined) process.stdout.write(help);
  else if (options.html) writePage(readField());
  else if (options.gateways.length > 0) await writeGateways(options.gateways);
  else await measure(options);
} catch (thrown) {
  process.stderr.write(`${thrown instanceof Error ? thrown.message : String(thrown)}\n`);
  process.exitCode = 1;
}
