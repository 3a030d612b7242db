import type { DeleteRunsOptions } from "@fullstop/loop/journal";
import type { Query } from "./query.ts";
import type { Tables } from "./tables.ts";

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
