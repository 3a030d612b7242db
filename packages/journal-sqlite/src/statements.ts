type Values = Readonly<Record<string, string | number | Uint8Array | null>>;
type Row = Readonly<Record<string, unknown>>;
/** A statement with named values, as a driver runs it. */
export interface Statement {
  get(values: Values): Row | undefined;
  all(values: Values): readonly Row[];
  run(values: Values): { readonly changes: number | bigint };
}
export type Statements = Readonly<Record<keyof typeof sql, Statement>>;

export const prepareStatements = (prepare: (text: string) => Statement): Statements => {
  const prepared = Object.entries(sql).map(([name, text]) => [name, prepare(text)]);
  return Object.fromEntries(prepared) as Statements;
};

/** The statements for a file. Only a Durable Object may have tables of its own beside the journal's. */
export const inFile = (sql: string): string => sql.replaceAll("journal_", "");

const pageSteps = 100;

const deletedRuns = 20;

const statusNow = `
  case when status is not null then status
    when lease_until > :now then 'running' else 'interrupted' end`;
const listPage = `
  and (created_at, run_id) > (:createdAt, :runId) order by created_at, run_id limit :limit`;
const list = `select run_id, ${statusNow} as status, calls, created_at, updated_at from journal_runs`;

const sql = {
  nextFence: "update journal_fences set latest = latest + 1 returning latest as fence",
  findLease:
    "select fence, renewals, lease_until, lease_ms, holder from journal_runs where run_id = :runId",
  insertRun: `
    insert into journal_runs
      (run_id, fence, lease_ms, lease_until, holder, renewals, created_at, updated_at)
    values (:runId, :fence, :leaseMs, :now + :leaseMs, :holder, 0, :now, :now)
    on conflict (run_id) do update set
      fence = :fence, lease_ms = :leaseMs, lease_until = :now + :leaseMs, holder = :holder,
      renewals = 0, status = null, calls = null, ended_at = null, updated_at = :now`,
  // A lease cannot end later than after its own time, unless the clock was set back.
  shortenLease: "update journal_runs set lease_until = :now + lease_ms where run_id = :runId",
  // A renewal that arrives after the release must not take the run again.
  renew: `
    update journal_runs set lease_until = :now + :leaseMs, lease_ms = :leaseMs, renewals = renewals + 1,
      updated_at = :now
    where run_id = :runId and fence = :fence and lease_until is not null`,
  // A beginning that arrives late does not remove the result.
  write: `
    insert into journal_steps (run, key, kind, json, began_at, ended_at)
    select id, :key, :kind, :json, :now, iif(:json is null, null, :now)
    from journal_runs where run_id = :runId and fence = :fence
    on conflict (run, key) do update set
      json = coalesce(excluded.json, json), ended_at = coalesce(excluded.ended_at, ended_at)`,
  // A number is before each text and each blob.
  load: `
    select key, json from journal_steps
    where run = (select id from journal_runs where run_id = :runId) and key > :after
    order by key limit ${pageSteps}`,
  release: `
    update journal_runs set lease_until = null, status = :status, calls = :calls,
      ended_at = iif(:status is null, null, :now), updated_at = :now
    where run_id = :runId and fence = :fence`,
  listAll: `${list} where true ${listPage}`,
  // The first condition lets SQLite use the index.
  listStatus: `
    ${list} where status is iif(:status in ('running', 'interrupted'), null, :status)
      and ${statusNow} = :status ${listPage}`,
  findEnded: `
    select id from journal_runs
    where ended_at < :endedBefore
      and iif(:statuses is null, status <> 'waiting', status in (select value from json_each(:statuses)))
    union all
    select id from journal_runs
    where status is null and coalesce(lease_until, 0) <= :now and updated_at < :endedBefore
      and 'interrupted' in (select value from json_each(:statuses))
    limit ${deletedRuns}`,
  deleteSteps: "delete from journal_steps where run = :id",
  deleteRun: "delete from journal_runs where id = :id",
};
