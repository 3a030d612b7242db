import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Command } from "commander";
import { clauses } from "../clauses/index.ts";
import { judge } from "../judge.ts";
import type { Subject } from "../subject.ts";
import { Unable } from "./exit.ts";
import { type Asked, carryOut, type VerdictOptions, verdictCommand } from "./verdicts.ts";

interface Given extends Omit<VerdictOptions, "clauses"> {
  readonly exhaustive?: true;
}

/** `conformance adapter`: the whole suite on the adapters of a module. */
export const adapterCommand = (): Command =>
  verdictCommand("adapter", clauses)
    .summary("ask an adapter every clause")
    .description("Ask an adapter every clause.")
    .argument("<module>", "a module whose default export is a subject, or an array of subjects")
    .option("--exhaustive", "cut at every byte, instead of where readers break")
    .action(async (path: string, given: Given) => {
      const subjects = await load(path);
      process.exitCode = await carryOut(
        subjects.map((subject) => asked(subject, path, given)),
        { ...given, clauses },
      );
    });

const asked = (subject: Subject, path: string, { exhaustive }: Given): Asked => ({
  name: subject.name ?? subject.wire.name,
  wire: subject.wire.name,
  command: `npx @fullstop/conformance adapter ${path}`,
  verdicts: ({ only }) => judge(subject, { only, exhaustive }),
});

async function load(path: string): Promise<readonly Subject[]> {
  const module = (await import(pathToFileURL(resolve(path)).href).catch((thrown: unknown) => {
    throw new Unable(`${path} cannot be loaded: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
  })) as { readonly default?: Subject | readonly Subject[] };
  const found = module.default === undefined ? [] : [module.default].flat();
  return found as readonly Subject[];
}
