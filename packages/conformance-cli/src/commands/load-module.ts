import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { CommandError } from "./exit.ts";

interface ExpectedExport<Of> {
  readonly isSubject: (value: unknown) => value is Of;
  /** An example of the export, for messages. */
  readonly form: string;
}

/** Imports a module and returns its default export: one subject, or several. */
export async function loadDefaultExport<Of>(
  path: string,
  { isSubject, form }: ExpectedExport<Of>,
): Promise<readonly Of[]> {
  if (!existsSync(path)) throw new CommandError(`The file ${path} does not exist.`);
  const module: { readonly default?: unknown } = await import(
    pathToFileURL(resolve(path)).href
  ).catch((thrown: unknown) => {
    const hint =
      path.endsWith("ts") && !process.features.typescript
        ? " A TypeScript module needs Node 22.18 or newer."
        : "";
    throw new CommandError(`${path} cannot be loaded.${hint}`, { cause: thrown });
  });
  const found: readonly unknown[] = [module.default].flat();
  return found.map((subject, index) => {
    if (isSubject(subject)) return subject;
    throw new CommandError(
      `${path} has no subject as ${found.length > 1 ? `number ${index + 1} of ` : ""}its default export: ${form}.`,
    );
  });
}
