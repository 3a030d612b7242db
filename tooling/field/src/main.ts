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
import { type GatewayField, gatewayFile, readGateways } from "@tooling/docs/gateways";
import { fillMarks } from "@tooling/docs/marks";
import { root, scratch } from "@tooling/install/process";
import { type FieldGateway, gateways } from "./gateways.ts";
import { examples, updateVersions } from "./install.ts";
import { measureSystem } from "./measure.ts";
import { measureGateway } from "./measure-gateway.ts";
import { differences, mergeResults } from "./results.ts";
import { type System, systems } from "./systems.ts";

const names = systems.map(({ name }) => name);
const gatewayNames = gateways.map(({ name }) => name);
const help = `Runs the agent clauses of the suite against current releases of other systems, and writes the results:
${fieldFile}, ${fieldReport}, a sentence in README.md, and ${fieldPageFile}, which git ignores.

  pnpm field [--only NAME...] [--update]
  pnpm field --gateways [--only NAME...]
  pnpm field --html

  --only     ${names.join(", ")};
             by default all of them. The results of the others stay as they are.
  --update   first writes the newest versions that npm can install to the package.json of the drivers
  --gateways asks gateways instead of systems: ${gatewayNames.join(", ")}; writes ${gatewayFile} and ${fieldReport}
  --html     only writes ${fieldPageFile}, from the results that are there

The first run installs about 500 MB from npm into node_modules/.cache/field. A complete run takes about seven minutes on two cores.
A system that cannot be installed or started is "not run", and the report says why. The command prints each verdict that has changed.
Exit codes: 0 measured, with any verdicts; 1 the results cannot be measured or written. Ctrl-C ends all started processes and writes nothing.
`;

interface Options {
  readonly asked: readonly System[];
  readonly update: boolean;
  readonly html: boolean;
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
      gateways: { type: "boolean", default: false },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  const { help, html, update, only, gateways: asksGateways } = values;
  if (help) return undefined;
  if (only === undefined && positionals.length > 0)
    throw new Error(`Write --only ${positionals.join(" ")}. --help shows all options.`);
  if (html && (update || asksGateways || only !== undefined))
    throw new Error("--html measures nothing: leave --only, --gateways and --update out.");
  if (asksGateways && update)
    throw new Error("--update is for systems: the versions of gateways are in gateways.ts.");
  const known = asksGateways ? gatewayNames : names;
  const chosen = only === undefined ? known : [...only, ...positionals];
  const unknown = chosen.filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw new Error(`Unknown name: ${unknown.join(", ")}. Known are ${known.join(", ")}.`);
  return {
    asked: systems.filter(({ name }) => chosen.includes(name)),
    gateways: asksGateways ? gateways.filter(({ name }) => chosen.includes(name)) : [],
    update,
    html,
  };
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

async function measure({ asked, update }: Options): Promise<void> {
  // The folders of the drivers are removed when this process ends.
  process.env["TMPDIR"] = scratch("field");
  if (update)
    for (const { name } of asked)
      process.stderr.write(`${await updateVersions(join(examples, name), name)}\n`);
  const onSubject = createProgress();
  const results = [];
  for (const system of asked) results.push(await measureSystem(system, { onSubject }));
  const before = existsSync(join(root, fieldFile)) ? readField() : undefined;
  const { version } = JSON.parse(
    readFileSync(join(root, "packages/conformance/package.json"), "utf8"),
  ) as { readonly version: string };
  writeResults(mergeResults(before, results, version));
  const changes = differences(before, results);
  process.stdout.write(changes.length === 0 ? "No verdict changed.\n" : `${changes.join("\n")}\n`);
}

/** Measures gateways. The results of the others stay as they are. */
async function measureGateways(asked: readonly FieldGateway[]): Promise<void> {
  const before = readGateways();
  const found = new Map(before?.gateways.map((gateway) => [gateway.name, gateway]));
  let last: Pick<GatewayField, "suite" | "clauses"> | undefined;
  for (const gateway of asked) {
    const { measured, ...about } = await measureGateway(gateway);
    found.set(gateway.name, measured);
    last = about;
  }
  const { suite = before?.suite ?? "", clauses = before?.clauses ?? [] } = last ?? {};
  const results: GatewayField = {
    suite,
    clauses,
    gateways: gatewayNames.flatMap((name) => found.get(name) ?? []),
  };
  write(gatewayFile, `${JSON.stringify(results, null, 1)}\n`);
  write(fieldReport, fieldText(readField(), results));
}

const write = (file: string, text: string): void => writeFileSync(join(root, file), text);

function writeResults(field: Field): void {
  const readme = readFileSync(join(root, "README.md"), "utf8");
  write(fieldFile, `${JSON.stringify(field, null, 1)}\n`);
  write(fieldReport, fieldText(field, readGateways()));
  write("README.md", fillMarks(readme, "field", fieldSummary(field)));
  writePage(field);
}

function writePage(field: Field): void {
  mkdirSync(join(root, dirname(fieldPageFile)), { recursive: true });
  write(fieldPageFile, fieldPage(field));
  process.stdout.write(`Wrote ${fieldPageFile}.\n`);
}

try {
  const options = parseOptions();
  if (options === undefined) process.stdout.write(help);
  else if (options.html) writePage(readField());
  else if (options.gateways.length > 0) await measureGateways(options.gateways);
  else await measure(options);
} catch (thrown) {
  process.stderr.write(`${thrown instanceof Error ? thrown.message : String(thrown)}\n`);
  process.exitCode = 1;
}
