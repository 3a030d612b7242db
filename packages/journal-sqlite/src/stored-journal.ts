import {
  type DeleteRunsOptions,
  type ListRunsOptions,
  leasedJournal,
  type RunStatus,
  readStoredRun,
  type StoredJournal,
  type StoredRun,
} from "@fullstop/loop/journal";
import { type Connection, journalTable, type TableOptions } from "./journal-table.ts";
import { fromSql, type SqlText, toSql } from "./sql-text.ts";

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

interface RunRow {
  readonly run_id: SqlText;
  readonly status: RunStatus;
  readonly calls: string | null;
  readonly created_at: number;
  readonly updated_at: number;
}

async function listRuns(
  { read }: Connection,
  { status, limit = 100, after }: ListRunsOptions = {},
): Promise<readonly StoredRun[]> {
  const page = {
    now: Date.now(),
    limit,
    createdAt: after?.createdAt.getTime() ?? Number.MIN_SAFE_INTEGER,
    runId: toSql(after?.runId ?? ""),
  };
  const rows = await read(({ listAll, listStatus }) =>
    status === undefined ? listAll.all(page) : listStatus.all({ ...page, status }),
  );
  return (rows as unknown as RunRow[]).map(toStoredRun);
}

const toStoredRun = ({ run_id, status, calls, created_at, updated_at }: RunRow): StoredRun =>
  readStoredRun(
    {
      runId: fromSql(run_id),
      status,
      calls,
      createdAt: new Date(created_at),
      updatedAt: new Date(updated_at),
    },
    "the column `calls` of the run",
  );

/** In several transactions, between which other processes can write. */
async function deleteRuns(
  { write }: Connection,
  { endedBefore, statuses }: DeleteRunsOptions,
): Promise<number> {
  const which = {
    endedBefore: endedBefore.getTime(),
    statuses: statuses === undefined ? null : JSON.stringify(statuses),
  };
  for (let deleted = 0; ; ) {
    const count = await write(({ findEnded, deleteSteps, deleteRun }) => {
      const ended = findEnded.all({ ...which, now: Date.now() });
      for (const { id } of ended) {
        deleteSteps.run({ id: Number(id) });
        deleteRun.run({ id: Number(id) });
      }
      return ended.length;
    });
    if (count === 0) return deleted;
    deleted += count;
  }
}
