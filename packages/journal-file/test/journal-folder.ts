import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileJournal } from "@fullstop/journal-file";
import type { BeginStep, Journal } from "@fullstop/loop";
import { afterEach, beforeEach } from "vitest";

/** A new folder for each test. */
export let folder: string;
/** The journal in it. */
export let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "journal-"));
  path = join(folder, "run.jsonl");
});
afterEach(() => rmSync(folder, { recursive: true }));

export const doubt = (): string => "in doubt";
/** A tool step with this value. */
export const call = (
  journal: Journal,
  key: string,
  value: unknown = `did ${key}`,
): Promise<unknown> => {
  const run = async (begin: BeginStep): Promise<unknown> => {
    await begin();
    return value;
  };
  return journal.step({ key, kind: "tool" }, run, doubt);
};
const never = () => Promise.reject(new Error("ran"));
/** The value of a recorded step; rejects if it would run. */
export const recalled = (journal: Journal, key: string): Promise<unknown> =>
  journal.step({ key, kind: "tool" }, never, doubt);

/** Opens the journal, calls `work` and closes it. */
export async function during<T>(work: (journal: Journal) => Promise<T>): Promise<T> {
  await using journal = await fileJournal(path);
  return await work(journal);
}
