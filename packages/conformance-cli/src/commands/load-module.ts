import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { relative, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
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
  const url = pathToFileURL(resolve(path)).href;
  const module: { readonly default?: unknown } = await import(url).catch((thrown: unknown) => {
    const hint =
      path.endsWith("ts") && !process.features.typescript
        ? " A TypeScript module needs Node 22.18 or newer."
        : "";
    const line = thrown instanceof SyntaxError ? lineOf(thrown, url) : undefined;
    if (line === undefined)
      throw new CommandError(`${path} cannot be loaded.${hint}`, { cause: thrown });
    const { message } = thrown as SyntaxError;
    throw new CommandError(`${path} cannot be loaded because of ${line}: ${message}`);
  });
  const found: readonly unknown[] = [module.default].flat();
  return found.map((subject, index) => {
    if (isSubject(subject)) return subject;
    throw new CommandError(
      `${path} has no subject as ${found.length > 1 ? `number ${index + 1} of ` : ""}its default export: ${form}.`,
    );
  });
}

const exit = "data:text/javascript,process.exit()";

/**
 * The line of a syntax error. If a module is not CommonJS or TypeScript, Node says it only when it
 * ends. So another process parses the module: `exit` comes first, so nothing of the module runs.
 */
function lineOf({ stack }: SyntaxError, url: string): string | undefined {
  const source = [exit, url].map((one) => `import ${JSON.stringify(one)};`).join("");
  const args = [...process.execArgv, "--input-type=module", "--eval", source];
  const { stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  const [, file, line] = /^(file:.*|\/.*|\w:\\.*):(\d+)$/m.exec(`${stack}\n${stderr}`) ?? [];
  if (file === undefined) return undefined;
  const path = file.startsWith("file:") ? fileURLToPath(file) : file;
  return `line ${line} of ${relative("", path)}`;
}
