import { constants } from "node:buffer";
import { chmod, readFile, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { text } from "node:stream/consumers";

/** A usage that cannot work. The message says what to change. */
export class UsageError extends Error {}

/** The message of what was thrown. */
export const messageOf = (thrown: unknown): string =>
  thrown instanceof Error ? thrown.message : String(thrown);

const problems: Readonly<Record<"read" | "write", Readonly<Record<string, string>>>> = {
  read: {
    ENOENT: "it does not exist",
    EISDIR: "it is a folder",
    EACCES: "this user may not read it",
  },
  write: {
    ENOENT: "its folder does not exist",
    EISDIR: "it is a folder",
    EEXIST: "a file has this name",
    ENOTDIR: "a part of its path is a file",
    EACCES: "this user may not write it",
    ENOSPC: "the disk is full",
  },
};

/** Says that a file cannot be read or written, and why. */
export function fileError(action: "read" | "write", file: string, thrown: unknown): UsageError {
  const { code = "" } = thrown as NodeJS.ErrnoException;
  return new UsageError(`cannot ${action} ${file}: ${problems[action][code] ?? messageOf(thrown)}`);
}

/**
 * The text of a file; `-` is standard input.
 * @throws UsageError if it cannot be read.
 */
export async function readInput(file: string): Promise<string> {
  try {
    if (file === "-") return await text(process.stdin);
    await assertReadable(file);
    return await readFile(file, "utf8");
  } catch (thrown) {
    throw fileError("read", file, thrown);
  }
}

/** The engine cannot hold a longer text. */
async function assertReadable(file: string): Promise<void> {
  const toMb = (bytes: number): number => Math.floor(bytes / 1_000_000);
  const { size } = await stat(file);
  if (size > constants.MAX_STRING_LENGTH)
    throw new Error(
      `it has ${toMb(size)} MB, and this command reads at most ${toMb(constants.MAX_STRING_LENGTH)} MB`,
    );
}

/**
 * Writes a file. A new one gets the permissions `mode`.
 * @throws UsageError if it cannot be written.
 */
export async function writeOutput(file: string, content: string, mode = 0o666): Promise<void> {
  try {
    await writeFile(file, content, { mode });
  } catch (thrown) {
    throw fileError("write", file, thrown);
  }
}

/**
 * Writes a file in place of one that exists, with its permissions. If the disk is full, the old one
 * stays whole.
 * @throws UsageError if it cannot be written.
 */
export async function replaceFile(file: string, content: string): Promise<void> {
  try {
    const target = await realpath(file);
    const next = `${target}.${process.pid}.new`;
    try {
      await writeFile(next, content, { mode: 0o600, flag: "wx" });
      await chmod(next, (await stat(target)).mode);
      await rename(next, target);
    } catch (thrown) {
      await rm(next, { force: true });
      throw thrown;
    }
  } catch (thrown) {
    throw fileError("write", file, thrown);
  }
}
