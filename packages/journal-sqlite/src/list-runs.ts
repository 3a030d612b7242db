import {
  type ListRunsOptions,
  type RunStatus,
  readStoredRun,
  type StoredRun,
} from "@fullstop/loop/journal";
import type { Connection } from "./journal-table.ts";
import { fromSql, type SqlText, toSql } from "./sql-text.ts";

interface RunRow {
  readonly run_id: SqlText;
  readonly status: RunStatus;
  readonly calls: string | null;
  readonly created_at: number;
  readonly updated_at: number;
}

export async function listRuns(
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
