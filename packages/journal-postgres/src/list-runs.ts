import { JournalError, type RunStatus, type StoredRun } from "@fullstop/loop/journal";
import type { Query, Row } from "./query.ts";
import type { Tables } from "./tables.ts";

/** Which runs `listRuns` returns. */
export interface ListRunsOptions {
  /** Default: each status. */
  readonly status?: RunStatus | undefined;
  /** Default: 100. */
  readonly limit?: number | undefined;
  /** Continues after this run: the last of the list before. */
  readonly after?: Pick<StoredRun, "createdAt" | "runId"> | undefined;
}

/** The condition for the statuses that the table does not store. */
const conditions: Readonly<Record<string, string>> = {
  running: "status is null and lease_until > clock_timestamp()",
  interrupted: "status is null and (lease_until is null or lease_until <= clock_timestamp())",
};
const isStored = "status = $1";

/** Reads a page of runs, the oldest first. */
export async function listRuns(
  query: Query,
  { runs }: Tables,
  { status, limit = 100, after }: ListRunsOptions = {},
): Promise<readonly StoredRun[]> {
  const isWanted = status === undefined ? "true" : (conditions[status] ?? isStored);
  const milliseconds = (column: string): string => `(extract(epoch from ${column}) * 1000)::text`;
  const rows = await query(
    `select run_id, calls,
       ${milliseconds("created_at")} as created_at, ${milliseconds("updated_at")} as updated_at,
       case when status is not null then status
         when ${conditions["running"]} then 'running' else 'interrupted' end as status
     from ${runs}
     where ($1::text is null or ${isWanted})
       and ($2::timestamptz is null or (created_at, run_id) > ($2, $3))
     order by created_at, run_id limit $4`,
    [status ?? null, after?.createdAt.toISOString() ?? null, after?.runId ?? null, limit],
  );
  return rows.map(readRun);
}

function readRun({ run_id: runId, status, calls, created_at, updated_at }: Row): StoredRun {
  return {
    runId: runId ?? "",
    status: status as RunStatus,
    ...(calls != null && { calls: readCalls(calls, runId ?? "") }),
    createdAt: new Date(Math.round(Number(created_at))),
    updatedAt: new Date(Math.round(Number(updated_at))),
  };
}

function readCalls(calls: string, runId: string): NonNullable<StoredRun["calls"]> {
  try {
    return JSON.parse(calls);
  } catch (cause) {
    throw new JournalError(
      "damaged",
      `The calls of the run ${JSON.stringify(runId)} are not JSON any more. Restore the column \`calls\` of \`journal_runs\`, or delete the run.`,
      { cause },
    );
  }
}
