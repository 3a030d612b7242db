import { existsSync, realpathSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { basename, isAbsolute, relative } from "node:path";
import type { Finding } from "@fullstop/conformance";

const commonPaths = /^\/(?:dev|proc|etc)\//;
/** The same for a word of a command, which may name a file of a user in `/tmp`. */
const commonFiles = /^\/(?:tmp$|dev\/|proc\/|etc\/)/;
/** The end of a path in a text: what follows is not a part of it. */
const pathEnd = String.raw`(?![\w.@+~-])`;

const escapeForPattern = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");

/** A folder as it occurs in texts: as it is, and inside a JSON text. */
const spellings = (folder: string): readonly string[] => [
  ...new Set([JSON.stringify(folder).slice(1, -1), folder]),
];

/** Replaces a folder. `/` and drives are not folders of one machine. */
function replaceFolder(text: string, folder: string, replacement: string): string {
  if (folder.length < 4) return text;
  return spellings(folder).reduce(
    (changed, spelling) =>
      changed.replace(new RegExp(escapeForPattern(spelling) + pathEnd, "g"), replacement),
    text,
  );
}

/** Replaces the folder in which the command runs, so that paths in it become relative. */
function replaceOwnFolder(text: string, folder: string): string {
  if (folder.length < 4) return text;
  const inside = spellings(folder).reduce(
    (changed, spelling) =>
      changed.replace(new RegExp(`(?:file://)?${escapeForPattern(spelling)}[\\\\/]+`, "g"), ""),
    text,
  );
  return replaceFolder(inside, folder, ".");
}

/** Any other path that exists here: only its last part stays. */
const shortenPaths = (text: string): string =>
  text.replace(
    /(?<![\w~.:/-])(?:file:\/\/)?(\/(?:[\w.@+~-]+\/)+[\w.@+~-]+)/g,
    (found, path: string) =>
      commonPaths.test(path) || !existsSync(path.replace(/\.$/, ""))
        ? found
        : `…/${basename(path)}`,
  );

const temporaryFolders = (): readonly string[] => {
  const folder = tmpdir();
  return existsSync(folder) ? [realpathSync(folder), folder] : [folder];
};

/**
 * A text without what only this machine has. Paths in `folder` become relative; it is the folder of
 * this process by default. The home folder becomes `~`, the one for temporary files `/tmp`, a port
 * of the loopback 0, and any other path that exists here loses its folders.
 */
export function withoutMachine(text: string, folder: string = process.cwd()): string {
  const inFolder = replaceOwnFolder(text, folder);
  const inTemporary = temporaryFolders().reduce(
    (changed, temporary) => replaceFolder(changed, temporary, "/tmp"),
    inFolder,
  );
  return shortenPaths(replaceFolder(inTemporary, homedir(), "~"))
    .replace(/\/tmp\/conformance-\w{6}\b/g, "/tmp/conformance")
    .replace(/\b(127\.0\.0\.1|localhost|\[::1\]):\d+/g, "$1:0");
}

export const findingWithoutMachine = (found: Finding): Finding => ({
  ...found,
  ...(found.reason !== undefined && { reason: withoutMachine(found.reason) }),
  broken: found.broken.map((check) => ({
    ...check,
    at: withoutMachine(check.at),
    expected: withoutMachine(check.expected),
    actual: withoutMachine(check.actual),
    ...(check.bytes !== undefined && { bytes: withoutMachine(check.bytes) }),
    ...(check.output !== undefined && { output: withoutMachine(check.output) }),
  })),
});

/** A word of a command. A path outside of the folder keeps only its last part. */
function wordWithoutMachine(word: string): string {
  if (!isAbsolute(word) || commonFiles.test(word) || !existsSync(word)) return withoutMachine(word);
  const inside = relative(process.cwd(), word);
  return inside === "" || inside.startsWith("..") ? basename(word) : inside;
}

/** A word as a shell takes it. */
export const quoteWord = (word: string): string =>
  /^[\w@%+=:,./~-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;

/** A command on one line, as a shell takes it, without paths of this machine. */
export const describeCommand = (words: readonly string[]): string =>
  words.map((word) => quoteWord(wordWithoutMachine(word))).join(" ");
