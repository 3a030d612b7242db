import { type PostgresJournal, postgresJournal } from "@fullstop/journal-postgres";
import type { ReviewedCall } from "@fullstop/loop";
import type { RunEnd } from "@fullstop/loop/journal";
import { expect, test } from "vitest";
import { startDatabase, step } from "./database.ts";

const database = await startDatabase();
const operator = database.pool();

/** A journal in a schema of its own. */
let schemas = 0;
const newJournal = () => {
  const schema = `runs_${++schemas}`;
  return { schema, journal: postgresJournal(operator, { schema }) };
};
/** A run with one step, which ended in this way. */
async function leave(journal: PostgresJournal, runId: string, end?: RunEnd): Promise<void> {
  const lease = await journal.open(runId);
  await lease.end(step(`${runId}/1/1`), "1");
  await lease.close(end);
}
const idsOf = (runs: readonly { readonly runId: string }[]) => runs.map(({ runId }) => runId);
const future = new Date("2200-01-01");

test("runs are listed by how they stopped, the oldest first", async () => {
  const { journal, schema } = newJournal();
  expect(await journal.listRuns()).toEqual([]);
  const calls: readonly ReviewedCall[] = [
    { id: "c", name: "pay", input: { text: "\u0000\ud800" }, needs: "decision" },
  ];
  await leave(journal, "done", { status: "done" });
  await leave(journal, "waiting", { status: "waiting", calls });
  await leave(journal, "given back");
  const held = await journal.open("held");
  await leave(journal, "killed");
  await operator.query(
    `update ${schema}.journal_runs set lease_until = now() - interval '1 s' where run_id = 'killed'`,
  );

  const all = await journal.listRuns();
  expect(all.map(({ runId, status }) => [runId, status])).toEqual([
    ["done", "done"],
    ["waiting", "waiting"],
    ["given back", "interrupted"],
    ["held", "running"],
    ["killed", "interrupted"],
  ]);
  expect(all[1]?.calls).toEqual(calls);
  for (const { createdAt, updatedAt } of all) {
    expect(updatedAt.getTime()).toBeGreaterThanOrEqual(createdAt.getTime());
    expect(Math.abs(Date.now() - createdAt.getTime())).toBeLessThan(60_000);
  }
  expect(idsOf(await journal.listRuns({ status: "waiting" }))).toEqual(["waiting"]);
  expect(idsOf(await journal.listRuns({ status: "running" }))).toEqual(["held"]);
  expect(idsOf(await journal.listRuns({ status: "interrupted" }))).toEqual([
    "given back",
    "killed",
  ]);
  expect(await journal.listRuns({ status: "failed" })).toEqual([]);
  await held.close();
});

test("a run that goes on is not waiting any more", async () => {
  const { journal } = newJournal();
  await leave(journal, "r", { status: "waiting", calls: [] });
  const lease = await journal.open("r");
  const [running] = await journal.listRuns();
  expect(running).toMatchObject({ runId: "r", status: "running" });
  expect(running).not.toHaveProperty("calls");
  await lease.close({ status: "done" });
  expect(await journal.listRuns()).toMatchObject([{ status: "done" }]);
});

test("pages of runs cover each run once, also those of one millisecond", async () => {
  const { journal, schema } = newJournal();
  await journal.migrate();
  await operator.query(
    `insert into ${schema}.journal_runs (run_id, fence, status, created_at)
     select 'run ' || n, 1, 'done', '2026-01-01'::timestamptz + (n / 10) * interval '1 ms'
     from generate_series(1, 95) as n`,
  );
  const seen: string[] = [];
  for (let page = await journal.listRuns({ limit: 10 }); page.length > 0; ) {
    expect(page.length).toBeLessThanOrEqual(10);
    seen.push(...idsOf(page));
    page = await journal.listRuns({ limit: 10, after: page.at(-1) });
  }
  expect(new Set(seen).size).toBe(95);
  expect(seen).toHaveLength(95);
});

test("only runs that ended for good are deleted, with their steps, unless others are named", async () => {
  const { journal, schema } = newJournal();
  await leave(journal, "done", { status: "done" });
  await leave(journal, "failed", { status: "failed" });
  await leave(journal, "waiting", { status: "waiting", calls: [] });
  await leave(journal, "interrupted");
  const held = await journal.open("held");
  await held.begin(step("held/1/1"));

  expect(await journal.deleteRuns({ endedBefore: new Date(Date.now() - 3_600_000) })).toBe(0);
  expect(await journal.deleteRuns({ endedBefore: future })).toBe(2);
  expect(idsOf(await journal.listRuns())).toEqual(["waiting", "interrupted", "held"]);
  expect(
    await journal.deleteRuns({ endedBefore: future, statuses: ["waiting", "interrupted"] }),
  ).toBe(2);
  await held.end(step("held/1/1"), "1");
  await held.close();
  const { rows } = await operator.query(`select distinct run_id from ${schema}.journal_steps`);
  expect(rows).toEqual([{ run_id: "held" }]);
});

test("more runs than one statement removes are deleted, by two processes at once", async () => {
  const { journal, schema } = newJournal();
  await journal.migrate();
  await operator.query(
    `insert into ${schema}.journal_runs (run_id, fence, status, ended_at)
     select 'run ' || n, 1, 'done', now() from generate_series(1, 1001) as n`,
  );
  const other = postgresJournal(database.pool(), { schema });
  const deleted = await Promise.all(
    [journal, other].map((one) => one.deleteRuns({ endedBefore: future })),
  );
  deleted.push(await journal.deleteRuns({ endedBefore: future }));
  expect(deleted.reduce((sum, count) => sum + count)).toBe(1001);
  expect(await journal.listRuns()).toEqual([]);
});

test("a process whose run was deleted and begun anew writes nothing into the new one", async () => {
  const { journal, schema } = newJournal();
  const old = await journal.open("r");
  await old.begin(step("r/1/1"));
  await operator.query(`update ${schema}.journal_runs set lease_until = now() - interval '1 s'`);
  expect(await journal.deleteRuns({ endedBefore: future, statuses: ["interrupted"] })).toBe(1);
  const fresh = await journal.open("r");
  expect(await fresh.read("r/1/1")).toBeUndefined();
  await expect(old.end(step("r/1/1"), "1")).rejects.toMatchObject({ kind: "lost" });
  expect(old.lost.aborted).toBe(true);
  await expect(old.close({ status: "done" })).rejects.toMatchObject({ kind: "lost" });
  expect(await journal.listRuns()).toMatchObject([{ runId: "r", status: "running" }]);
  await fresh.close();
  const { rows } = await operator.query(`select key from ${schema}.journal_steps`);
  expect(rows).toEqual([]);
});

test("a run that was deleted after its last step does not end as done", async () => {
  const { journal, schema } = newJournal();
  const lease = await journal.open("r");
  await lease.end(step("r/1/1"), "1");
  await operator.query(`delete from ${schema}.journal_runs`);
  await expect(lease.close({ status: "done" })).rejects.toMatchObject({ kind: "deleted" });
});
