import { type BigIntStats, statSync } from "node:fs";
import { deletedError, type JournalError } from "@fullstop/loop/journal";

/** SQLite finds its files by their names: others would not see what is written to an old one. */
const suffixes = ["", "-wal", "-shm"];

const find = (path: string): readonly (BigIntStats | undefined)[] =>
  suffixes.map((suffix) => statSync(`${path}${suffix}`, { bigint: true, throwIfNoEntry: false }));

/** Remembers the files of an open database. The result says why they are not in their place, if so. */
export function rememberPlace(path: string): () => JournalError | undefined {
  const mine = find(path);
  return () => {
    const found = find(path);
    const isInPlace = mine.every(
      (file, at) =>
        file === undefined || (file.ino === found[at]?.ino && file.dev === found[at]?.dev),
    );
    return isInPlace
      ? undefined
      : deletedError(`The journal ${path} was deleted, renamed or replaced`);
  };
}
