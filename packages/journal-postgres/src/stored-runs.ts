import {
  type DeleteRunsOptions,
  type ListRunsOptions,
  type RunStatus,
  readStoredRun,
  type StoredRun,
} from "@fullstop/loop/journal";
import type { Query, Row } from "./query.ts";
import type { Tables } from "./tables.ts";

const conditions: Readonly<Record<string, string>> = {
  running: "run.status is null and run.lease_until > clock_timestamp()",
  interrupted:
    "run.status is null and (run.lease_until is null or run.lease_until <= clock_timestamp())",
};
const isStored = "run.status = $1";

export async function listRuns(
  query: Query,
  { runs }: Tables,
  { status, limit = 100, after }: ListRunsOptions = {},
): Promise<readonly StoredRun[]> {
  const isWanted = conditions[status ?? ""] ?? isStored;
  const isAfter =
    after === undefined ? "true" : "(run.created_at, run.run_id) > ($3::timestamptz, $4)";
  const milliseconds = (column: string): string => `(extract(epoch from ${column}) * 1000)::text`;
  // An output column has no table: the order by its text could not use an index.
  const rows = await query(
    `select run.run_id, run.calls, ${milliseconds("run.created_at")} as created_at,
       ${milliseconds("run.updated_at")} as updated_at,
       case when run.status is not null then run.status
         when ${conditions["running"]} then 'running' else 'interrupted' end as status
     from ${runs} as run
     where ($1::text is null or ${isWanted}) and ${isAfter}
     order by run.created_at, run.run_id limit $2`,
    [status ?? null, limit, ...(after ? [after.createdAt.toISOString(), after.runId] : [])],
  );
  return rows.map(readRun);
}

const readRun = ({ run_id: runId, status, calls, created_at, updated_at }: Row): StoredRun =>
  readStoredRun(
    {
      runId: runId ?? "",
      status: status as RunStatus,
      calls,
      createdAt: new Date(Math.round(Number(created_at))),
      updatedAt: new Date(Math.round(Number(updated_at))),
    },
    "the column `calls` of `journal_runs`",
  );

const batch = 200;

/** One that another process locks at this moment is left. */
export async function deleteRuns(
  query: Query,
  { runs }: Tables,
  { endedBefore, statuses }: DeleteRunsOptions,
): Promise<number> {
  const isWanted = statuses === undefined ? "status <> 'waiting'" : "status = any($2::text[])";
  const isInterrupted = `'interrupted' = any($2::text[]) and status is null
    and (lease_until is null or lease_until <= clock_timestamp()) and updated_at < $1`;
  const text = `
    with gone as (
      delete from ${runs} where run_id in (
        select run_id from ${runs}
        where (${isWanted} and ended_at < $1::timestamptz) or (${isInterrupted})
        limit ${batch} for update skip locked
      ) returning 1
    )
    select count(*)::text as count from gone`;
  let deleted = 0;
  for (;;) {
    const [row] = await query(text, [endedBefore.toISOString(), statuses ?? []]);
    const count = Number(row?.["count"]);
    deleted += count;
    if (count < batch) return deleted;
  }
}
