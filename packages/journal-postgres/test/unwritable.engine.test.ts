import { postgresJournal } from "@fullstop/journal-postgres";
import { expect, test } from "vitest";
import { startDatabase, step } from "./database.ts";

const database = await startDatabase();
const operator = database.pool();

/** Lets each new step fail with this SQLSTATE. */
const failWith = (schema: string, state: string) =>
  operator.query(`
    create or replace function ${schema}.fail() returns trigger language plpgsql as
      $$ begin raise exception 'the reason' using errcode = '${state}'; end $$;
    create or replace trigger fail before insert on ${schema}.journal_steps
      for each row execute function ${schema}.fail()`);

test("a table that is locked ends the run with the reason, and no backend goes on waiting", async () => {
  const pool = database.pool({ application_name: "locked" });
  const lease = await postgresJournal(pool, { schema: "locked", leaseMs: 2000 }).open("r");
  const holder = await operator.connect();
  try {
    await holder.query("begin; lock table locked.journal_steps in access exclusive mode");
    await expect(lease.begin(step("r/1/1"))).rejects.toMatchObject({
      kind: "unavailable",
      message: expect.stringContaining('The step "r/1/1" could not be recorded for 2 s: '),
      cause: { message: "PostgreSQL did not answer within 1 s." },
    });
    expect(lease.lost.aborted).toBe(false);
    await lease.close();
    const waiting = `select from pg_stat_activity where application_name = 'locked' and wait_event_type = 'Lock'`;
    await expect.poll(async () => (await operator.query(waiting)).rowCount).toBe(0);
  } finally {
    await holder.query("rollback");
    holder.release();
  }
  const next = await postgresJournal(pool, { schema: "locked" }).open("r");
  expect(await next.read("r/1/1")).toBeUndefined();
  await next.close();
});

test.each([
  ["53100", "disk full"],
  ["57014", "statement timeout"],
])("the state %s (%s) ends a run that renews its lease, with its cause", async (state) => {
  const schema = `state_${state}`;
  const lease = await postgresJournal(operator, { schema, leaseMs: 2000 }).open("r");
  await failWith(schema, state);
  await expect(lease.begin(step("r/1/1"))).rejects.toMatchObject({
    kind: "unavailable",
    message: `The step "r/1/1" could not be recorded for 2 s: the reason. Start the run again: what was recorded counts.`,
    cause: { code: state },
  });
  await lease.close();
});

test.each([
  ["XX001", "damaged", "Restore a backup."],
  ["42501", "unavailable", "Let a role that may create tables call `migrate()` once."],
  ["22000", "unavailable", "Correct the cause and start the run again"],
])("the state %s rejects at once with the kind %s", async (state, kind, remedy) => {
  const schema = `kind_${state.toLowerCase()}`;
  const lease = await postgresJournal(operator, { schema }).open("r");
  await failWith(schema, state);
  await expect(lease.begin(step("r/1/1"))).rejects.toMatchObject({
    name: "JournalError",
    kind,
    message: expect.stringContaining(`PostgreSQL refused the journal: the reason. ${remedy}`),
    cause: { code: state },
  });
  await lease.close();
});
