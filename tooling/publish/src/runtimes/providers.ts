import { readFileSync, writeFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { clauses, judge, type Verdict } from "@fullstop/conformance";
import { fillMarks } from "@tooling/docs/marks";
import { parseNames } from "@tooling/test/options";
import { type CollectedSubject, collected } from "../../consumer/collect.ts";
import { root } from "../install/process.ts";
import { conformanceTests } from "../install/subjects.ts";
import { type Asked, type Column, providerTable } from "./provider-table.ts";

const providersHelp = `Asks every adapter of the repository every clause of the suite, and prints a table of providers and clauses.

  pnpm conformance all [--provider a,b] [--only clause] [--sample n] [--write]

  --provider  packages without "provider-", such as bedrock; default: all
  --only      a clause (stop.cut) or a family (stop); default: all
  --sample    tries at most n places of each reply; default: 4
  --write     writes the table to docs/providers.md; not with another option

Exit codes: 0 no clause is broken; 1 a clause is broken; 2 an invalid option; 130 stopped by Ctrl-C.
`;

/** What the command line asks for. */
interface Options {
  readonly provider: readonly string[];
  readonly only?: string;
  readonly sample: number;
  readonly write?: boolean;
}

/** The tests name the subjects: `conform` collects them, instead of asking them in vitest. */
function collectSubjects(): void {
  const url = import.meta.resolve("@tooling/publish/collect");
  const isConform = /(^@fullstop\/conformance\/vitest|\/conformance\/src\/vitest\.ts)$/;
  registerHooks({
    resolve: (specifier, context, next) =>
      isConform.test(specifier) ? { url, shortCircuit: true } : next(specifier, context),
  });
}

const shortName = (path: string): string =>
  path
    .replace(/^packages\/provider-/, "")
    .replace(/\/test\/(?:(\w+)-)?conformance\.test\.ts$/, (_, protocol?: string) =>
      protocol === undefined ? "" : ` (${protocol})`,
    );

const providerOf = (path: string): string => shortName(path).split(" ")[0] ?? "";

/** The subjects of a test file. */
async function subjectsOf(path: string): Promise<readonly CollectedSubject[]> {
  const before = collected.length;
  await import(pathToFileURL(join(root, path)).href);
  return collected.slice(before);
}

/** Whether a clause is one of `wanted`: families, or single clauses. */
const belongsTo = (clause: string, wanted: CollectedSubject["only"]): boolean =>
  wanted === undefined ||
  [wanted].flat().some((one) => clause === one || clause.startsWith(`${one}.`));

/** Asks one subject what both its test and the command line ask. */
async function* askSubject(
  { subject, only }: CollectedSubject,
  { only: wanted, sample }: Options,
): AsyncGenerator<Verdict> {
  const ids = clauses.map(({ id }) => id).filter((id) => belongsTo(id, only));
  const narrower = ids.every((id) => belongsTo(id, wanted)) ? only : wanted;
  if (!ids.some((id) => belongsTo(id, wanted))) return;
  yield* judge(subject, { only: narrower, sample });
}

async function askColumn(path: string, options: Options): Promise<Column> {
  const asked: Asked[] = [];
  for (const collectedSubject of await subjectsOf(path))
    for await (const verdict of askSubject(collectedSubject, options))
      asked.push({ of: collectedSubject.subject.wire.name, verdict });
  const count = (status: Verdict["status"]): number =>
    new Set(asked.flatMap(({ verdict }) => (verdict.status === status ? [verdict.clause.id] : [])))
      .size;
  process.stderr.write(`${shortName(path)}: ${count("kept")} kept, ${count("broken")} broken\n`);
  return { name: shortName(path), asked };
}

async function writeProviders(options: Options): Promise<void> {
  collectSubjects();
  const all = conformanceTests().filter((path) => !path.startsWith("packages/provider-mock/"));
  const paths = all.filter((path) => options.provider.includes(providerOf(path)));
  const columns: Column[] = [];
  for (const path of paths) columns.push(await askColumn(path, options));
  const { text, broken } = providerTable(columns);
  process.stdout.write(`${text}\n`);
  if (broken.length > 0) process.exitCode = 1;
  process.stderr.write(broken.map((line) => `${line}\n`).join(""));
  const page = join(root, "docs/providers.md");
  if (options.write && broken.length === 0)
    writeFileSync(page, fillMarks(readFileSync(page, "utf8"), "providers", text));
}

/** @throws Error if an option is unknown, or if two options exclude each other. */
function parseOptions(): Options | "help" {
  const { values } = parseArgs({
    options: {
      provider: { type: "string" },
      only: { type: "string" },
      sample: { type: "string", default: "4" },
      write: { type: "boolean" },
      help: { type: "boolean", short: "h" },
    },
  });
  if (values.help) return "help";
  const known = new Set(conformanceTests().map(providerOf));
  if (values.only !== undefined && !clauses.some(({ id }) => belongsTo(id, values.only)))
    throw new Error(
      `Unknown clause or family: ${values.only}. See packages/conformance/CLAUSES.md.`,
    );
  if (!/^[1-9]\d*$/.test(values.sample)) throw new Error("--sample takes a number above 0.");
  if (values.write && (values.provider ?? values.only) !== undefined)
    throw new Error("--write writes the whole table: remove --provider and --only.");
  return {
    ...values,
    provider: parseNames("provider", values.provider, [...known]),
    sample: Number(values.sample),
  };
}

try {
  const options = parseOptions();
  if (options === "help") process.stdout.write(providersHelp);
  else await writeProviders(options);
} catch (thrown) {
  process.stderr.write(`${thrown instanceof Error ? thrown.message : String(thrown)}\n`);
  process.exitCode = 2;
}
