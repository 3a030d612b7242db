import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileJournal } from "@fullstop/journal-file";
import { sqliteJournal } from "@fullstop/journal-sqlite";
import type { JournalOptions } from "@fullstop/loop";

/** Gives each run a journal: a file of its own, or the database of all runs. */
export type JournalMaker = (runId: string) => JournalOptions["store"];
export type JournalName = "file" | "sqlite";

let folder: string | undefined;
/** A folder that the process removes when it ends. */
function journalFolder(): string {
  if (folder === undefined) {
    const made = mkdtempSync(join(tmpdir(), "bench-"));
    process.on("exit", () => rmSync(made, { recursive: true, force: true }));
    folder = made;
  }
  return folder;
}

/** A new file or database. */
export const journalMakers: Readonly<Record<JournalName, () => JournalMaker>> = {
  // In a folder of its own, because the search for locks reads the folder.
  file: () => (runId) => {
    const own = join(journalFolder(), runId);
    mkdirSync(own);
    return fileJournal(join(own, "run.jsonl"));
  },
  sqlite: () => {
    const database = sqliteJournal(join(journalFolder(), `${crypto.randomUUID()}.db`));
    return () => database;
  },
};

/** The journal of a new run. */
export function newJournal(makeJournal: JournalMaker): JournalOptions {
  const runId = crypto.randomUUID();
  return { store: makeJournal(runId), runId };
}
