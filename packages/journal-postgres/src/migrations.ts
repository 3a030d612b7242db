import type { Query } from "./query.ts";
import { quoteText, type Tables } from "./tables.ts";

/**
 * The statements of each version of the tables. A version only adds what older releases can ignore,
 * so that processes of two releases can share a database.
 *
 * `lease_until` and `updated_at` have no index, so that a renewal changes only one row (a HOT
 * update, for which `fillfactor` leaves space). Texts compare by bytes in each database.
 * `json` is text, because jsonb refuses U+0000 and changes numbers and the order of fields. Of 10 MB,
 * lz4 takes a quarter of the time of the default.
 */
const versions: readonly ((tables: Tables) => string)[] = [
  ({ runs, steps, fences }) => `
    create sequence ${fences};
    create table ${runs} (
      run_id text collate "C" primary key,
      fence bigint not null,
      lease_until timestamptz,
      status text,
      calls text,
      created_at timestamptz(3) not null default clock_timestamp(),
      updated_at timestamptz not null default clock_timestamp(),
      ended_at timestamptz
    ) with (fillfactor = 70);
    create index on ${runs} (status, created_at, run_id);
    create index on ${runs} (ended_at);
    create table ${steps} (
      run_id text collate "C" not null references ${runs} on delete cascade,
      key text collate "C" not null,
      kind text not null,
      json text,
      began_at timestamptz not null default clock_timestamp(),
      ended_at timestamptz,
      primary key (run_id, key)
    );
    begin
      execute ${quoteText(`alter table ${steps} alter json set compression lz4`)};
    exception when feature_not_supported or syntax_error then -- before 14, or built without it
    end;`,
  ({ runs }) => `create index on ${runs} (created_at, run_id);`,
];

/**
 * Creates what is missing. Side by side, one process works and the others wait for it. The
 * statements are sent as one text, also through a pooler. `to_regnamespace` would answer from a
 * cache that is older than the lock.
 */
export async function migrate(query: Query, tables: Tables): Promise<void> {
  if (await isMigrated(query, tables)) return;
  const { schema, schemaName, migrations } = tables;
  const blocks = versions.map(
    (statements, position) => `
      if not exists (select from ${migrations} where version = ${position + 1}) then
        ${statements(tables)}
        insert into ${migrations} (version) values (${position + 1});
      end if;`,
  );
  const body = `
    begin
      if not exists (select from pg_namespace where nspname = ${quoteText(schemaName)}) then
        create schema ${schema};
      end if;
      if to_regclass(${quoteText(migrations)}) is null then
        create table ${migrations} (
          version int primary key,
          applied_at timestamptz not null default clock_timestamp()
        );
      end if;
      ${blocks.join("")}
    end`;
  const lock = `select pg_advisory_xact_lock(hashtextextended(${quoteText(migrations)}, 0))`;
  const begin = "begin isolation level read committed"; // to see what the process before created
  await query(`${begin}; ${lock}; do ${quoteText(body)}; commit`);
}

async function isMigrated(query: Query, { migrations }: Tables): Promise<boolean> {
  const [found] = await query("select to_regclass($1)::text as name", [migrations]);
  if (found?.["name"] == null) return false;
  const [row] = await query(`select max(version)::text as version from ${migrations}`);
  return Number(row?.["version"]) >= versions.length;
}
