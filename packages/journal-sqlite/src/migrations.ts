import type { DatabaseSync } from "node:sqlite";
import { JournalError } from "@fullstop/loop/journal";
import { inFile } from "./statements.ts";
import { inTransaction } from "./transaction.ts";

/** "Full" in ASCII. It marks a file as a journal. */
const applicationId = 0x46756c6c;

/**
 * The statements of each version of the file. A version only adds what older releases can ignore,
 * so that processes of two releases can share a file. It can run again: a Durable Object has no place
 * for its number.
 *
 * A column of the type `any` has a text or a blob; `sql-text.ts` says why. Times are milliseconds
 * since 1970. `journal_fences` has the latest fence of all runs, and begins with the time, so
 * that a run gets a larger one after it, or all, was deleted.
 */
export const versions: readonly string[] = [
  `create table if not exists journal_runs (
     id integer primary key,
     run_id any not null unique,
     fence integer not null,
     renewals integer not null,
     lease_ms integer not null,
     lease_until integer,
     holder text,
     status text,
     calls text,
     created_at integer not null,
     updated_at integer not null,
     ended_at integer
   ) strict;
   create index if not exists journal_runs_created on journal_runs (created_at, run_id);
   create index if not exists journal_runs_of_status on journal_runs (status, created_at, run_id);
   create index if not exists journal_runs_ended on journal_runs (ended_at);
   create table if not exists journal_steps (
     run integer not null,
     key any not null,
     kind text not null,
     json any,
     began_at integer not null,
     ended_at integer,
     primary key (run, key)
   ) strict;
   create table if not exists journal_fences (latest integer not null) strict;
   insert into journal_fences
     select cast(unixepoch('subsec') * 1000 as integer)
     where not exists (select * from journal_fences);`,
];

/**
 * Makes the file a journal of the current version. Side by side, one process works and the others
 * get the error that the file is busy.
 * @throws JournalError if the file is another database; it is not changed.
 */
export function migrate(database: DatabaseSync, path: string): void {
  if (readVersion(database, path) >= versions.length) return;
  inTransaction(database, "immediate", () => {
    for (const statements of versions.slice(versionOf(database, path)))
      database.exec(inFile(statements));
    database.exec(
      `pragma application_id = ${applicationId}; pragma user_version = ${versions.length}`,
    );
  });
}

/** In one transaction, because another process may make the file a journal at the same time. */
export const readVersion = (database: DatabaseSync, path: string): number =>
  inTransaction(database, "deferred", () => versionOf(database, path));

function versionOf(database: DatabaseSync, path: string): number {
  const read = (sql: string): unknown => Object.values(database.prepare(sql).get() ?? {})[0];
  if (read("pragma application_id") === applicationId) return Number(read("pragma user_version"));
  if (read("select count(*) from sqlite_schema") === 0) return 0;
  throw new JournalError(
    "damaged",
    `${path} is another SQLite database, not a journal. It was not changed. Use another file.`,
  );
}

/** Why statements of this release fail, if a later release has changed the tables. */
export function findLaterVersion(database: DatabaseSync, path: string): JournalError | undefined {
  const version = readVersion(database, path);
  if (version <= versions.length) return undefined;
  return new JournalError(
    "damaged",
    `The journal ${path} has tables of version ${version}, which a later release wrote, and this release knows version ${versions.length}. Update @fullstop/journal-sqlite. The file was not changed.`,
  );
}
