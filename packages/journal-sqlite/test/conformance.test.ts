import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { journalConformance } from "@fullstop/conformance/journal";
import { type SqliteJournal, sqliteJournal } from "@fullstop/journal-sqlite";

journalConformance({
  name: "journal-sqlite",
  create: ({ leaseMs }) => {
    const folder = mkdtempSync(join(tmpdir(), "sqlite-"));
    const journals: SqliteJournal[] = [];
    return {
      connect: () => {
        const journal = sqliteJournal(join(folder, "runs.db"), { leaseMs });
        journals.push(journal);
        return journal;
      },
      close: async () => {
        for (const journal of journals) await journal.close();
        rmSync(folder, { recursive: true });
      },
    };
  },
});
