import { existsSync, mkdirSync, mkdtempSync, realpathSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { CommandError, messageOf } from "./commands/exit.ts";

/**
 * Creates a folder, and those around it. Node's own `recursive` never ends where a new folder is
 * refused with ENOENT, as in `/proc`.
 */
export function createFolder(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  const around = dirname(path);
  if (!existsSync(around)) createFolder(around);
  try {
    mkdirSync(path);
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== "ENOENT") throw thrown;
    throw new Error(`no folder can be created in ${around}`, { cause: thrown });
  }
}

/** The variables that name the folder for temporary files. The first one that is set counts. */
const variables = process.platform === "win32" ? ["TEMP", "TMP"] : ["TMPDIR", "TMP", "TEMP"];

/** @throws CommandError if the folder for temporary files cannot be used. */
export function createTemporaryFolder(prefix: string): string {
  const parent = tmpdir();
  try {
    return realpathSync(mkdtempSync(join(parent, prefix)));
  } catch (thrown) {
    const variable = variables.find((name) => process.env[name]) ?? variables[0];
    const why = existsSync(parent) ? messageOf(thrown) : "it does not exist";
    throw new CommandError(
      `${parent} cannot be used for temporary files: ${why}. Set the variable ${variable} to another folder.`,
    );
  }
}
