import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileJournal } from "@fullstop/journal-file";
import { sqliteJournal } from "@fullstop/journal-sqlite";
import type { JournalOptions } from "@fullstop/loop";

/** Gives each run a journal: a file of its own, or the database of all runs. */
export type JournalMaker = (runId: string) => JournalOptions["store"];
export type JournalName = "file" | "sqlite";

let benchFolder: string | undefined;
/** A new folder. The process removes it when it ends. */
function journalFolder(): string {
  if (benchFolder === undefined) {
    const made = mkdtempSync(join(tmpdir(), "bench-"));
    process.on("exit", () => rmSync(made, { recursive: true, force: true }));
    benchFolder = made;
  }
  return mkdtempSync(join(benchFolder, "journal-"));
}

/** A new file or database. */
export const journalMakers: Readonly<Record<JournalName, () => JournalMaker>> = {
  // In a folder of its own, because the search for locks reads the folder.
  file: () => {
    const all = journalFolder();
    return (runId) => {
      const own = join(all, runId);
      mkdirSync(own);
      return fileJournal(join(own, "run.jsonl"));
    };
  },
  sqlite: () => {
    const database = sqliteJournal(join(journalFolder(), "runs.db"));
    return () => database;
  },
};

/** The journal of a new run. */
export function newJournal(makeJournal: JournalMaker): JournalOptions {
  const runId = crypto.randomUUID();
  return { store: makeJournal(runId), runId };
}
