import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";

/** Any number that no other program uses for an advisory lock in this database. */
const lock = 7_318_554_012;
const pauseMs = 100;

/**
 * Calls `launch`, which creates the tables of DBOS, in one process after the other: two that do it at
 * once on an empty database stop each other with "deadlock detected". The lock is tried again and
 * again, because a statement that waits for it would hold up `create index concurrently`.
 */
export async function launchAlone(databaseUrl: string, launch: () => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    for (;;) {
      const { rows } = await client.query("select pg_try_advisory_lock($1) as taken", [lock]);
      if (rows[0]?.taken === true) break;
      await sleep(pauseMs);
    }
    await launch();
  } finally {
    await client.end();
  }
}

/** SQLSTATE of a missing table and a missing schema. */
const missingCodes: readonly unknown[] = ["42P01", "3F000"];

/** Whether DBOS has no tables in this database yet. */
export const areTablesMissing = (thrown: unknown): boolean =>
  thrown instanceof Error && "code" in thrown && missingCodes.includes(thrown.code);
