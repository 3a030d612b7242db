import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type JournalSubject, journalConformance } from "@fullstop/conformance/journal";
import { type SqliteJournal, sqliteJournal } from "@fullstop/journal-sqlite";

const subject: JournalSubject = {
  name: "journal-sqlite",
  create: ({ leaseMs }) => {
    const folder = mkdtempSync(join(tmpdir(), "sqlite-"));
    const path = join(folder, "runs.db");
    const journals: SqliteJournal[] = [];
    return {
      connect: () => {
        const journal = sqliteJournal(path, { leaseMs });
        journals.push(journal);
        return journal;
      },
      block: () => {
        const other = new DatabaseSync(path);
        other.exec("begin immediate");
        return () => other.close();
      },
      remove: () => {
        for (const suffix of ["", "-wal", "-shm"]) rmSync(`${path}${suffix}`);
      },
      close: async () => {
        for (const journal of journals) await journal.close();
        rmSync(folder, { recursive: true });
      },
    };
  },
};

// A database in a file answers at once. If the machine is busy, a longer lease decides.
journalConformance(subject, { leasesMs: [200, 1500, 6000, 15_000] });
