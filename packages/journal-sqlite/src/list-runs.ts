import { JournalError, type RunStatus, type StoredRun } from "@fullstop/loop/journal";
import type { Connection } from "./connection.ts";
import { fromSql, type SqlText, toSql } from "./sql-text.ts";

/** Which runs `listRuns` returns. */
export interface ListRunsOptions {
  /** Default: each status. */
  readonly status?: RunStatus | undefined;
  /** Default: 100. */
  readonly limit?: number | undefined;
  /** Continues after this run: the last of the list before. */
  readonly after?: Pick<StoredRun, "createdAt" | "runId"> | undefined;
}

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

function toStoredRun({ run_id, status, calls, created_at, updated_at }: RunRow): StoredRun {
  const runId = fromSql(run_id);
  return {
    runId,
    status,
    ...(calls !== null && { calls: parseCalls(calls, runId) }),
    createdAt: new Date(created_at),
    updatedAt: new Date(updated_at),
  };
}

function parseCalls(calls: string, runId: string): NonNullable<StoredRun["calls"]> {
  try {
    return JSON.parse(calls);
  } catch (cause) {
    throw new JournalError(
      "damaged",
      `The calls of the run ${JSON.stringify(runId)} are not JSON any more. Restore the column \`calls\` of \`runs\`, or delete the run.`,
      { cause },
    );
  }
}
