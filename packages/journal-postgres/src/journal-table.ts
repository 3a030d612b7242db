import {
  deletedError,
  type JournalTable,
  type RunEnd,
  type TableStep,
} from "@fullstop/loop/journal";
import { isTransient } from "./database-error.ts";
import type { Query } from "./query.ts";
import { quoteText, type Tables } from "./tables.ts";

/** An entry of an index has at most 2704 bytes, and that of a step holds both. */
const longestRunId = 1000;
const longestKey = 1600;

function assertStorable(what: string, text: string, longest: number): void {
  const problem = findProblem(text, longest);
  if (problem === undefined) return;
  throw new TypeError(
    `The ${what} ${JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text)} ${problem}. Use another \`journal.runId\`.`,
  );
}

function findProblem(text: string, longest: number): string | undefined {
  if (text === "") return "is empty";
  if (text.includes("\0")) return "has the character U+0000, which PostgreSQL cannot store";
  if (!text.isWellFormed()) return "has half of a surrogate pair, which UTF-8 cannot express";
  const bytes = new TextEncoder().encode(text).length;
  if (bytes > longest) return `has ${bytes} bytes, and the journal takes at most ${longest}`;
  return undefined;
}

export interface TableOptions {
  readonly query: Query;
  readonly tables: Tables;
  readonly maxStepBytes: number;
  readonly prepare: () => Promise<void>;
}

/** The lease of a run is its row in `journal_runs`. The clock is that of the database. */
export function journalTable({ query, tables, maxStepBytes, prepare }: TableOptions): JournalTable {
  const statements = createStatements(tables);
  const claim: JournalTable["claim"] = async (runId, leaseMs) => {
    assertStorable("run id", runId, longestRunId);
    await prepare();
    for (;;) {
      const [row] = await query(statements.claim, [runId, leaseMs]);
      if (row === undefined) continue; // another process created or deleted the row meanwhile
      const { fence, renewal, free_in_ms: freeInMs } = row;
      if (fence != null) return { granted: true, fence: Number(fence) };
      return { granted: false, renewal: renewal ?? "", freeInMs: Number(freeInMs) };
    }
  };
  /** `changed`: the rows that a statement changed, if the run has its fence. */
  const isHeld = async (runId: string, changed: readonly unknown[]): Promise<boolean> => {
    if (changed.length > 0) return true;
    if ((await query(statements.find, [runId])).length > 0) return false;
    throw deletedError(`The run "${runId}" was deleted from PostgreSQL`);
  };
  const write: JournalTable["write"] = async (runId, fence, { step, json }: TableStep) => {
    assertStorable("key of the step", step.key, longestKey);
    const values = [runId, fence, step.key, step.kind, json ?? null];
    return isHeld(runId, await query(statements.write, values));
  };
  const release = async (runId: string, fence: number, end?: RunEnd): Promise<boolean> => {
    const calls = end?.calls === undefined ? null : JSON.stringify(end.calls);
    const values = [runId, fence, end?.status ?? null, calls];
    return isHeld(runId, await query(statements.release, values));
  };
  return {
    maxStepBytes,
    claim,
    renew: async (runId, fence, leaseMs) =>
      isHeld(runId, await query(statements.renew, [runId, fence, leaseMs], leaseMs / 3)),
    async *load(runId) {
      for (let after = ""; ; ) {
        const rows = await query(statements.load, [runId, after]);
        const last = rows.at(-1)?.["key"];
        if (last == null) return;
        yield rows.map(({ key, json }) => ({ key: key ?? "", json: json ?? undefined }));
        after = last;
      }
    },
    write,
    release,
    isTransient,
  };
}

/** Steps and bytes that one statement loads, at least one step. */
const pageSteps = 500;
const pageBytes = 8 * 1024 * 1024;

/**
 * Each is one statement, and so one transaction. A statement that waits for the row of the run sees
 * it as the other left it, and checks the fence again (READ COMMITTED). With a stricter isolation
 * the statement fails with 40001 and is repeated.
 */
function createStatements({ runs, steps, fences }: Tables) {
  const until = (leaseMs: string): string =>
    `clock_timestamp() + ${leaseMs}::float8 * interval '1 millisecond'`;
  const nextFence = `nextval(${quoteText(fences)})`;
  return {
    // The select sees the row as it was before. The fence is larger even after the row was deleted.
    claim: `
      with claimed as (
        insert into ${runs} as run (run_id, fence, lease_until)
        values ($1, ${nextFence}, ${until("$2")})
        on conflict (run_id) do update set
          fence = ${nextFence}, lease_until = ${until("$2")},
          status = null, calls = null, ended_at = null, updated_at = clock_timestamp()
        where run.lease_until is null or run.lease_until <= clock_timestamp()
        returning fence
      )
      select fence::text, null as renewal, null as free_in_ms from claimed
      union all
      select null, fence || ' ' || extract(epoch from updated_at),
        greatest(0, extract(epoch from lease_until - clock_timestamp()) * 1000)::text
      from ${runs} where run_id = $1 and lease_until is not null
        and not exists (select from claimed)`,
    // A renewal that arrives after the release must not take the run again.
    renew: `
      update ${runs} set lease_until = ${until("$3")}, updated_at = clock_timestamp()
      where run_id = $1 and fence = $2 and lease_until is not null
      returning 'renewed' as done`,
    // FOR SHARE: steps of one run are written side by side, and a claim waits until they are
    // committed. So the claim sees them, or they see its fence. A beginning that arrives late does
    // not remove the result. A database that does not wait for its disk does so for this statement.
    write: `
      with lease as (
        select case current_setting('synchronous_commit')
          when 'off' then set_config('synchronous_commit', 'on', true) end
        from ${runs} where run_id = $1 and fence = $2 for share
      )
      insert into ${steps} as step (run_id, key, kind, json, ended_at)
      select $1, $3, $4, $5::text, case when $5::text is not null then clock_timestamp() end
      from lease
      on conflict (run_id, key) do update set
        json = coalesce(excluded.json, step.json),
        ended_at = coalesce(excluded.ended_at, step.ended_at)
      returning 'written' as done`,
    release: `
      update ${runs} set lease_until = null, status = $3, calls = $4,
        ended_at = case when $3::text is not null then clock_timestamp() end,
        updated_at = clock_timestamp()
      where run_id = $1 and fence = $2
      returning 'released' as done`,
    find: `select 'found' as done from ${runs} where run_id = $1`,
    // The size of a text is known without reading it.
    load: `
      select key, json from (
        select key, json, row_number() over by_key as row,
          sum(coalesce(octet_length(json), 0)) over by_key as bytes
        from (
          select key, json from ${steps} where run_id = $1 and key > $2
          order by key limit ${pageSteps}
        ) as page
        window by_key as (order by key)
      ) as step
      where row = 1 or bytes <= ${pageBytes}
      order by key`,
  };
}
