import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type SqliteJournal,
  type SqliteJournalOptions,
  sqliteJournal,
} from "@fullstop/journal-sqlite";
import type { RunLease } from "@fullstop/loop/journal";
import { afterEach, beforeEach } from "vitest";

/** The folder of this test. */
export let folder: string;
/** The journal in it. */
export let path: string;
const opened: SqliteJournal[] = [];

/** Each test of the file that calls this has a new folder. */
export function useNewFolders(): void {
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "sqlite-"));
    path = join(folder, "runs.db");
  });
  afterEach(async () => {
    for (const journal of opened.splice(0)) await journal.close();
    rmSync(folder, { recursive: true });
  });
}

/** A journal of this test, which closes it. */
export function openJournal(options?: SqliteJournalOptions): SqliteJournal {
  const journal = sqliteJournal(path, options);
  opened.push(journal);
  return journal;
}

/** Records a tool step with this value. */
export async function record(
  lease: RunLease,
  key: string,
  value: unknown = `did ${key}`,
): Promise<void> {
  await lease.begin({ key, kind: "tool" });
  await lease.end({ key, kind: "tool" }, JSON.stringify(value));
}
