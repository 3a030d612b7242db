import {
  type DeleteRunsOptions,
  type Journal,
  type ListRunsOptions,
  leasedJournal,
  type StoredRun,
} from "@fullstop/loop/journal";
import { deleteRuns } from "./delete-runs.ts";
import { type Connection, journalTable, type TableOptions } from "./journal-table.ts";
import { listRuns } from "./list-runs.ts";

/** A journal of many runs, in a database. */
export interface StoredJournal extends Journal {
  /** The stored runs, the oldest first. */
  listRuns(options?: ListRunsOptions): Promise<readonly StoredRun[]>;
  /**
   * Removes ended runs with their steps. Resolves with the number of removed runs. A file keeps its
   * size, and later runs use the space.
   */
  deleteRuns(options: DeleteRunsOptions): Promise<number>;
}

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
