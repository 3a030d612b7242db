import { once } from "node:events";
import { postgresJournal } from "@fullstop/journal-postgres";
import type { Pool } from "pg";
import { expect, test } from "vitest";
import { startDatabase, step } from "./database.ts";
import { openNetwork } from "./silent-network.ts";

const database = await startDatabase();
/** For what the tests do to the server. */
const operator = database.pool({ max: 4 }).on("error", () => {});
let runs = 0;
const newRun = (): string => `run-${++runs}`;

const named = (name: string): Pool => database.pool({ application_name: name });
const terminate = (name: string, more = "true") =>
  operator.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1 and ${more}`,
    [name],
  );
const stepsOf = async (runId: string) =>
  (
    await operator.query(
      "select key, json from fullstop.journal_steps where run_id = $1 order by key",
      [runId],
    )
  ).rows;
/** Waits until a statement of this application waits for a lock. */
async function untilBlocked(name: string): Promise<void> {
  const waiting = `select from pg_stat_activity where application_name = $1 and wait_event_type = 'Lock'`;
  while ((await operator.query(waiting, [name])).rowCount === 0)
    await new Promise((resolve) => setTimeout(resolve, 10));
}

test("a server that is killed between begin and end, and starts again, loses nothing", async () => {
  const runId = newRun();
  const lease = await postgresJournal(named("killed")).open(runId);
  await lease.begin(step("a"));
  await lease.end(step("b"), "1");
  await database.kill();
  const end = lease.end(step("a"), "2");
  await database.restart();
  await end;
  await lease.close({ status: "done" });
  expect(await stepsOf(runId)).toEqual([
    { key: "a", json: "2" },
    { key: "b", json: "1" },
  ]);
  expect(lease.lost.aborted).toBe(false);
});

test("a connection that is cut while it is idle ends neither the process nor the run", async () => {
  const runId = newRun();
  const lease = await postgresJournal(named("idle")).open(runId);
  await lease.begin(step("a"));
  expect((await terminate("idle")).rowCount).toBeGreaterThanOrEqual(1);
  await lease.end(step("a"), "1");
  await lease.close();
  expect(await stepsOf(runId)).toEqual([{ key: "a", json: "1" }]);
});

/** Holds the row of a run, so that each step of it waits, while this works. */
async function whileBlocked(runId: string, work: () => Promise<void>): Promise<void> {
  const holder = await operator.connect();
  try {
    await holder.query("begin");
    await holder.query("select from fullstop.journal_runs where run_id = $1 for update", [runId]);
    await work();
    await holder.query("commit");
  } finally {
    holder.release();
  }
}

test("a connection that the server ends while a step is written writes it once", async () => {
  const runId = newRun();
  const lease = await postgresJournal(named("busy")).open(runId);
  let end: Promise<void> | undefined;
  await whileBlocked(runId, async () => {
    end = lease.end(step("a"), "1");
    await untilBlocked("busy");
    expect((await terminate("busy", "wait_event_type = 'Lock'")).rowCount).toBe(1);
  });
  await end;
  await lease.close();
  expect(await stepsOf(runId)).toEqual([{ key: "a", json: "1" }]);
});

test("a connection that breaks while a step is written writes it once", async () => {
  const runId = newRun();
  const network = await openNetwork(database.url);
  try {
    const pool = database.pool({ connectionString: network.url, application_name: "broken" });
    const lease = await postgresJournal(pool).open(runId);
    let end: Promise<void> | undefined;
    await whileBlocked(runId, async () => {
      end = lease.end(step("a"), "1");
      await untilBlocked("broken");
      network.cut();
    });
    await end;
    await lease.close();
  } finally {
    await network.close();
  }
  expect(await stepsOf(runId)).toEqual([{ key: "a", json: "1" }]);
});

test("a step survives the server's death even if the database does not wait for its disk", async () => {
  const url = await database.createDatabase();
  const name = new URL(url).pathname.slice(1);
  await operator.query(`alter database ${name} set synchronous_commit = off`);
  const pool = database.pool({ connectionString: url });
  const lease = await postgresJournal(pool).open("r");
  expect((await pool.query("show synchronous_commit")).rows).toEqual([
    { synchronous_commit: "off" },
  ]);
  for (let position = 1; position <= 5; position++) {
    await lease.end(step(`k${position}`), "1");
    await database.kill();
    await database.restart();
    const { rows } = await pool
      .query("select count(*)::int as count from fullstop.journal_steps")
      .catch(() => pool.query("select count(*)::int as count from fullstop.journal_steps"));
    expect(rows).toEqual([{ count: position }]);
  }
  await lease.close();
});

test("a network that falls silent loses the lease, and the process learns it", async () => {
  const runId = newRun();
  const network = await openNetwork(database.url);
  try {
    const pool = database.pool({ connectionString: network.url });
    const lease = await postgresJournal(pool, { leaseMs: 1500 }).open(runId);
    await lease.begin(step("a"));
    network.fallSilent();
    const end = lease.end(step("a"), "1");
    await expect(end).rejects.toMatchObject({ kind: "unavailable" });
    if (!lease.lost.aborted) await once(lease.lost, "abort");
    expect(lease.lost.reason).toMatchObject({ kind: "unavailable" });
    network.recover();
    const second = await postgresJournal(pool, { leaseMs: 1500 }).open(runId);
    expect(await second.read("a")).toEqual({ state: "begun" });
    await second.close();
  } finally {
    await network.close();
  }
});

test("a server that cannot be reached is an error that names the reason", async () => {
  const pool = database.pool({ connectionString: "postgres://postgres@127.0.0.1:1/postgres" });
  const refused = postgresJournal(pool, { leaseMs: 500 }).open(newRun());
  await expect(refused).rejects.toMatchObject({
    kind: "unavailable",
    cause: { code: "ECONNREFUSED" },
  });
});

test("a wrong password, role or database is an error at once", async () => {
  const pool = database.pool({ connectionString: `${database.url}_missing` });
  await expect(postgresJournal(pool).open(newRun())).rejects.toThrow(
    'database "postgres_missing" does not exist',
  );
});
