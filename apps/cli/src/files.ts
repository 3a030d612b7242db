import { readFile, writeFile } from "node:fs/promises";
import { text } from "node:stream/consumers";

/** A usage that cannot work. The message says what to change. */
export class UsageError extends Error {}

/** The message of what was thrown. */
export const messageOf = (thrown: unknown): string =>
  thrown instanceof Error ? thrown.message : String(thrown);

/**
 * The text of a file; `-` is standard input.
 * @throws UsageError if it cannot be read.
 */
export async function readInput(file: string): Promise<string> {
  try {
    return file === "-" ? await text(process.stdin) : await readFile(file, "utf8");
  } catch (thrown) {
    throw new UsageError(`cannot read ${file}: ${messageOf(thrown)}`);
  }
}

/**
 * Writes a file. A new one gets the permissions `mode`.
 * @throws UsageError if it cannot be written.
 */
export async function writeOutput(file: string, content: string, mode = 0o666): Promise<void> {
  try {
    await writeFile(file, content, { mode });
  } catch (thrown) {
    throw new UsageError(`cannot write ${file}: ${messageOf(thrown)}`);
  }
}
