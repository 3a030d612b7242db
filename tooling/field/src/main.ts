import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ReportedSubject } from "@fullstop/conformance";
import { readCoders } from "@tooling/docs/coders";
import {
  type Field,
  fieldFile,
  fieldPageFile,
  fieldReport,
  type MeasuredSystem,
  type NewestRelease,
  printField,
  readField,
} from "@tooling/docs/field";
import { fieldPage, fieldText } from "@tooling/docs/field-report";
import { fieldSummary, versionCell } from "@tooling/docs/field-tables";
import { type GatewayField, gatewayFile, readGateways } from "@tooling/docs/gateways";
import { fieldSections, guardedFile, readGuarded } from "@tooling/docs/guarded";
import { fillMarks } from "@tooling/docs/marks";
import { cache, root, scratch } from "@tooling/publish/process";
import { readCommandLine } from "@tooling/test/options";
import { measureCoders, parseCoderOptions, writeCoders } from "./coders/command.ts";
import { coders } from "./coders/list.ts";
import { measureCorpusRuns } from "./corpus/measure.ts";
import type { FieldGateway } from "./gateways/gateway.ts";
import { gateways as allGateways } from "./gateways.ts";
import { guardGateway } from "./guard.ts";
import { measureSystem } from "./measure.ts";
import { measureGateways } from "./measure-gateway.ts";
import { findNewestPackage, type PackageOrigin } from "./newest.ts";
import { help, type Options, parseOptions } from "./options.ts";
import { findNewest, installSystems, updateSystem } from "./prepare.ts";
import { addClause, compareAgain, differences, mergeResults } from "./results.ts";
import { systems as allSystems } from "./systems.ts";

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

/** Measures again what was measured before, and writes the differences after each system. */
async function measureAgain(options: Options): Promise<void> {
  const differences: string[] = [];
  for await (const second of measureEach(options)) {
    const field = compareAgain(readField(), [second]);
    writeResults(field);
    const compared = field.systems.find(({ name }) => name === second.name);
    differences.push(...(compared?.again?.differences ?? []));
  }
  process.stdout.write(
    differences.length === 0 ? "All checks had the same results.\n" : `${differences.join("\n")}\n`,
  );
}

async function* measureEach({
  asked,
  guarded,
  clause,
}: Pick<Options, "asked" | "guarded" | "clause">): AsyncGenerator<MeasuredSystem> {
  // The folders of the drivers are removed when this process ends.
  process.env["TMPDIR"] = scratch("field");
  // Each run starts its programs anew.
  process.env["NODE_COMPILE_CACHE"] ??= join(cache, "field/compiled");
  const onSubject = createProgress();
  const through = guarded ? guardGateway : undefined;
  for (const system of asked)
    yield await measureSystem(system, { only: clause, through, onSubject });
}

/** Measures, and writes the results after each system, so that an interruption loses only one. */
async function measure({ asked, update, guarded, clause }: Options): Promise<void> {
  if (update) for (const system of asked) process.stderr.write(`${await updateSystem(system)}\n`);
  const { version } = JSON.parse(
    readFileSync(join(root, "packages/conformance/package.json"), "utf8"),
  ) as { readonly version: string };
  const changes: string[] = [];
  for await (const result of measureEach({ asked, guarded, clause })) {
    const before = guarded ? readGuarded() : readFieldIfThere();
    const known = before?.systems.find(({ name }) => name === result.name);
    const measured = clause === undefined ? result : addClause(known, result, clause);
    const merged = mergeResults(before, [measured], version);
    if (guarded) writeGuarded(merged);
    else writeResults(merged);
    changes.push(...differences(before, [result]));
  }
  process.stdout.write(changes.length === 0 ? "No verdict changed.\n" : `${changes.join("\n")}\n`);
}

/** Asks which releases are the newest now. The verdicts stay as they are. */
async function askNewest({ asked }: Options): Promise<void> {
  const found = new Map<string, NewestRelease | undefined>();
  for (const system of asked) found.set(system.name, await findNewest(system));
  const field = readField();
  const systems = field.systems.map((system) => {
    const newest = found.get(system.name);
    return newest === undefined ? system : { ...system, newest };
  });
  if (asked.length === allSystems.length) await askNewestOfOthers();
  writeResults({ ...field, systems });
  const older = systems.filter((system) => versionCell(system) !== (system.version ?? "–"));
  process.stdout.write(
    older.length === 0
      ? "Every row is of the newest release.\n"
      : older.map((system) => `${system.title} ${versionCell(system)}\n`).join(""),
  );
}

/** The same for LLM gateways and coding agents. */
async function askNewestOfOthers(): Promise<void> {
  const origins = new Map<string, PackageOrigin | undefined>(
    [...allGateways, ...coders].map(({ name, origin }) => [name, origin]),
  );
  const withNewest = async <Row extends { readonly name: string }>(row: Row): Promise<Row> => {
    const origin = origins.get(row.name);
    const newest = origin && (await findNewestPackage(origin));
    return { ...row, ...(newest && { newest }) };
  };
  const measured = readGateways();
  if (measured !== undefined) {
    const gateways = await Promise.all(measured.gateways.map(withNewest));
    write(gatewayFile, printGateways({ ...measured, gateways }));
  }
  const run = readCoders();
  if (run !== undefined)
    writeCoders({ ...run, coders: await Promise.all(run.coders.map(withNewest)) });
}

const printGateways = (measured: GatewayField): string => `${JSON.stringify(measured, null, 1)}\n`;
const readFieldIfThere = (): Field | undefined =>
  existsSync(join(root, fieldFile)) ? readField() : undefined;

const write = (file: string, text: string): void => writeFileSync(join(root, file), text);

function writeResults(field: Field): void {
  const readme = readFileSync(join(root, "README.md"), "utf8");
  write(fieldFile, printField(field));
  write(fieldReport, fieldText(field, fieldSections(field)));
  write("README.md", fillMarks(readme, "field", fieldSummary(field)));
}

function writeGuarded(guarded: Field): void {
  write(guardedFile, printField(guarded));
  writeReport();
}

async function writeGateways(asked: readonly FieldGateway[]): Promise<void> {
  write(gatewayFile, printGateways(await measureGateways(asked)));
  writeReport();
}

/** Writes the report from the results that are there. */
function writeReport(): void {
  const field = readField();
  write(fieldReport, fieldText(field, fieldSections(field)));
}

function writePage(field: Field): void {
  mkdirSync(join(root, dirname(fieldPageFile)), { recursive: true });
  write(fieldPageFile, fieldPage(field));
  process.stdout.write(`Wrote ${fieldPageFile}.\n`);
}

const args = process.argv.slice(2);
const asksHelp = args.includes("--help") || args.includes("-h");
const { askedCoders, options } = readCommandLine(help, () =>
  args.includes("--coders") && !asksHelp
    ? { values: {}, askedCoders: parseCoderOptions(args), options: undefined }
    : { values: { help: asksHelp }, askedCoders: undefined, options: parseOptions(args) },
);
try {
  if (askedCoders !== undefined) await measureCoders(askedCoders);
  else if (options === undefined) process.stdout.write(help);
  else if (options.html) writePage(readField());
  else if (options.gateways.length > 0) await writeGateways(options.gateways);
  else if (options.corpus) await measureCorpusRuns(options.asked, writeReport);
  else if (options.install) process.exitCode = (await installSystems(options.asked)) ? 0 : 1;
  else if (options.newest) await askNewest(options);
  else if (options.again) await measureAgain(options);
  else await measure(options);
} catch (thrown) {
  process.stderr.write(`${thrown instanceof Error ? thrown.message : String(thrown)}\n`);
  process.exitCode = 1;
}
