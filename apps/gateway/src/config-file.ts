import { readFileSync } from "node:fs";
import type { Command } from "commander";
import { type CommandOptions, createCommand } from "./options.ts";
import { ConfigurationError } from "./routes.ts";

/**
 * Reads the arguments of the command, and before them the file that they name. So what stands on the
 * command line counts where the file says something else.
 *
 * @throws CommanderError for wrong usage. It has been printed.
 */
export function readOptions(args: readonly string[]): CommandOptions {
  const parse = (all: readonly string[]): CommandOptions =>
    createCommand().parse(all, { from: "user" }).opts<CommandOptions>();
  const given = parse(args);
  if (given.config === undefined) return given;
  const command = createCommand();
  try {
    return parse([...readConfigFile(given.config, command), ...args]);
  } catch (thrown) {
    if (thrown instanceof ConfigurationError) command.error(`error: ${thrown.message}`);
    throw thrown;
  }
}

/**
 * Reads a file whose members are the long options of the command. They become arguments, so the
 * options have one table, one check and one set of sentences.
 *
 * @throws {ConfigurationError} if the file cannot be read as such an object.
 */
function readConfigFile(path: string, command: Command): readonly string[] {
  const content = parseFile(path);
  return Object.entries(content).flatMap(([name, value]) => {
    const values: readonly unknown[] = Array.isArray(value) ? value : [value];
    return values.flatMap((one) => argumentOf(name, one, { path, command }));
  });
}

function parseFile(path: string): object {
  const text = read(path);
  if (jsonError(text) !== undefined)
    throw new ConfigurationError(
      `The file ${path} must hold one JSON object, and it is not JSON at ${placeOf(text)}.`,
    );
  const content: unknown = JSON.parse(text);
  if (typeof content === "object" && content !== null && !Array.isArray(content)) return content;
  throw new ConfigurationError(`The file ${path} must hold one JSON object.`);
}

/** What the parser says. It may quote the file, which may hold a token. */
function jsonError(text: string): string | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (thrown) {
    return (thrown as Error).message;
  }
}

/** The line and the column of the first mistake. The parser does not say those of a wrong token. */
function placeOf(text: string): string {
  const hasMistake = (length: number): boolean =>
    /^Unexpected token/.test(jsonError(text.slice(0, length)) ?? "");
  const [, stated] = /position (\d+)/.exec(jsonError(text) ?? "") ?? [];
  let at = stated === undefined ? text.length : Number(stated);
  if (stated === undefined && hasMistake(text.length)) {
    let from = 0;
    while (from < at) {
      const middle = (from + at) >> 1;
      if (hasMistake(middle + 1)) at = middle;
      else from = middle + 1;
    }
  }
  const lines = text.slice(0, at).split("\n");
  return `line ${lines.length}, column ${(lines.at(-1) ?? "").length + 1}`;
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException;
    const problem = code === "ENOENT" ? "does not exist" : `cannot be read (${code})`;
    throw new ConfigurationError(`The file ${path} ${problem}.`);
  }
}

/** Options of the command line alone. */
const notInFile: ReadonlySet<string> = new Set(["config", "self-test"]);

interface Context {
  readonly path: string;
  readonly command: Command;
}

function argumentOf(name: string, value: unknown, { path, command }: Context): readonly string[] {
  const option = command.options.find(
    ({ long, negate }) => long === (negate ? `--no-${name}` : `--${name}`),
  );
  if (option === undefined || notInFile.has(name))
    throw new ConfigurationError(
      `"${name}" in ${path} is not an option. Use the long options without "--", such as "max-held".`,
    );
  const { long = "", negate, required } = option;
  if (!required) {
    if (typeof value === "boolean") return value === negate ? [] : [long];
    throw new ConfigurationError(`"${name}" in ${path} must be true or false.`);
  }
  if (typeof value === "string" || typeof value === "number") return [`${long}=${value}`];
  throw new ConfigurationError(`"${name}" in ${path} must be a text, a number, or a list of them.`);
}
