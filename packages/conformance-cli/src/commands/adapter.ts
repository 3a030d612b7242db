import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { everyClause, judge, type Subject } from "@fullstop/conformance";
import type { Command } from "commander";
import { CommandError } from "./exit.ts";
import { type JudgedSubject, judgeAndReport, parseCount, type JudgeCommandOptions, createJudgeCommand } from "./verdicts.ts";

interface AdapterCommandOptions extends Omit<JudgeCommandOptions, "clauses"> {
  readonly exhaustive?: true;
  readonly sample?: number;
}

const adapterHelp = `
The module:
  export default { wire: myWire, adapter: (endpoint) => myAdapter(endpoint) };

  A subject, or an array of them with a name each. What one does not keep, it says:
  notClaimed: { "stop.cap": "the host counts no tokens" }. A TypeScript module
  works as it is with Node 22.18 or newer.

Examples:
  conformance adapter ./my-adapter.js
  conformance adapter ./my-adapter.ts --only stop.cut --exhaustive
  conformance adapter ./my-adapter.js --reporter html --output report.html
`;

/** `conformance adapter`: the whole suite on the subjects of a module. */
export const adapterCommand = (): Command =>
  createJudgeCommand("adapter", everyClause)
    .summary("ask the adapters of a module every clause")
    .description(
      "Ask the adapters of a module every clause. Nothing leaves this process: the provider is the suite.",
    )
    .argument("<module>", "a module whose default export is a subject, or an array of them")
    .option("--exhaustive", "cut every reply at every byte, instead of where readers break")
    .option("--sample <n>", "try at most so many places of each reply", parseCount)
    .addHelpText("after", adapterHelp)
    .action(async (path: string, given: AdapterCommandOptions) => {
      const subjects = await loadSubjects(path);
      const all = subjects.map((subject) => toJudgedSubject(subject, path, given));
      process.exitCode = await judgeAndReport(async () => all, { ...given, clauses: everyClause });
    });

const toJudgedSubject = (
  subject: Subject,
  path: string,
  { exhaustive, sample, all, only: part }: AdapterCommandOptions,
): JudgedSubject => ({
  name: subject.name ?? subject.wire.name,
  wire: subject.wire.name,
  command: `npx @fullstop/conformance-cli adapter ${path}${exhaustive ? " --exhaustive" : ""}${part === undefined ? "" : ` --only ${part}`}`,
  verdicts: ({ only, signal }) => judge(subject, { only, exhaustive, sample, all, signal }),
});

/** The subjects that a module exports. */
export async function loadSubjects(path: string): Promise<readonly Subject[]> {
  if (!existsSync(path)) throw new CommandError(`There is no file ${path}.`);
  const module: { readonly default?: unknown } = await import(
    pathToFileURL(resolve(path)).href
  ).catch((thrown: unknown) => {
    const hint =
      path.endsWith("ts") && !process.features.typescript
        ? " A TypeScript module needs Node 22.18 or newer."
        : "";
    throw new CommandError(`${path} cannot be loaded.${hint}`, { cause: thrown });
  });
  const found = [module.default].flat();
  for (const [n, subject] of found.entries())
    if (!isSubject(subject))
      throw new CommandError(
        `${path} has no subject as ${found.length > 1 ? `number ${n + 1} of ` : ""}its default export: export default { wire, adapter }.`,
      );
  return found as readonly Subject[];
}

const isSubject = (value: unknown): value is Subject =>
  typeof value === "object" &&
  value !== null &&
  "wire" in value &&
  typeof value.wire === "object" &&
  ["adapter", "loop", "runner"].some((kind) => kind in value);
