import { leasedJournal, type StoredJournal } from "@fullstop/loop/journal";
import { deleteRuns } from "./delete-runs.ts";
import { type Connection, journalTable, type TableOptions } from "./journal-table.ts";
import { listRuns } from "./list-runs.ts";

interface JournalOptions extends TableOptions {
  readonly leaseMs: number | undefined;
}

export const storedJournal = (
  connection: Connection,
  { leaseMs, ...options }: JournalOptions,
): StoredJournal => ({
  ...leasedJournal(journalTable(connection, options), { leaseMs }),
  listRuns: (list) => listRuns(connection, list),
  deleteRuns: (which) => deleteRuns(connection, which),
});
