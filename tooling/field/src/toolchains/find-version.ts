import { stripVTControlCharacters } from "node:util";
import { runProgram } from "@tooling/publish/process";

/** Whether a version is the other one or newer. */
export const isAtLeast = (version: string, oldest: string): boolean =>
  version.localeCompare(oldest, "en", { numeric: true }) >= 0;

/** A program that a toolchain needs. */
interface WantedProgram {
  /** The name for a reader. */
  readonly title: string;
  /** The command that prints its version. */
  readonly command: readonly [string, ...string[]];
  readonly oldest: string;
}

/**
 * Finds a program and its version. Rejects with a sentence if its command does not start, or if it
 * is too old.
 */
export async function findVersion({ title, command, oldest }: WantedProgram): Promise<{
  readonly program: string;
  readonly version: string;
}> {
  const [program] = command;
  const printed = await runProgram(command, { cwd: process.cwd() }).catch(() => "");
  const version = /\d+(\.\d+)*/.exec(stripVTControlCharacters(printed))?.[0];
  if (version === undefined)
    throw new Error(
      `${title} ${oldest} or newer was not found as ${program}: install it, or put it on PATH.`,
    );
  if (!isAtLeast(version, oldest))
    throw new Error(
      `${title} ${oldest} or newer is needed, and ${program} is ${version}: install a newer one, or put it first on PATH.`,
    );
  return { program, version };
}
