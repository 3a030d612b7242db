import { DatabaseSync } from "node:sqlite";
import type { ReviewedCall } from "@fullstop/loop";
import { expect, test } from "vitest";
import { openJournal, path, record, useNewFolders } from "./journal-folder.ts";

useNewFolders();

const calls: readonly ReviewedCall[] = [
  { id: "c1", name: "pay", input: { to: "a\0\ud800" }, needs: "decision" },
];

/** Changes the file as time or a killed process would. */
function edit(sql: string): void {
  const database = new DatabaseSync(path);
  database.exec(sql);
  database.close();
}

test("runs are listed by status, the oldest first, with the calls that they wait for", async () => {
  const journal = openJournal();
  for (const [runId, end] of [
    ["done", { status: "done" }],
    ["waiting", { status: "waiting", calls }],
    ["interrupted", undefined],
  ] as const)
    await (await journal.open(runId)).close(end);
  const running = await journal.open("running");
  await journal.open("killed");
  edit(
    "update runs set created_at = id, lease_until = lease_until - 60000 where run_id <> 'running'",
  );
  edit("update runs set created_at = 4, updated_at = 5 where run_id = 'running'");
  const other = openJournal();
  const all = await other.listRuns();
  expect(all.map(({ runId, status }) => [runId, status])).toEqual([
    ["done", "done"],
    ["waiting", "waiting"],
    ["interrupted", "interrupted"],
    ["running", "running"],
    ["killed", "interrupted"],
  ]);
  expect(all[1]?.calls).toEqual(calls);
  expect(all[3]).toEqual({
    runId: "running",
    status: "running",
    createdAt: new Date(4),
    updatedAt: new Date(5),
  });
  const names = async (options: Parameters<typeof other.listRuns>[0]) =>
    (await other.listRuns(options)).map(({ runId }) => runId);
  expect(await names({ status: "waiting" })).toEqual(["waiting"]);
  expect(await names({ status: "running" })).toEqual(["running"]);
  expect(await names({ status: "interrupted" })).toEqual(["interrupted", "killed"]);
  expect(await names({ status: "failed" })).toEqual([]);
  expect(await names({ limit: 2 })).toEqual(["done", "waiting"]);
  expect(await names({ limit: 2, after: all[1] })).toEqual(["interrupted", "running"]);
  expect(await names({ status: "interrupted", after: all[2] })).toEqual(["killed"]);
  await running.close();
});

test("runs of the same millisecond are on one page each", async () => {
  const journal = openJournal();
  const ids = Array.from({ length: 25 }, (_, at) => `r${String(at).padStart(2, "0")}`);
  for (const runId of ids) await (await journal.open(runId)).close({ status: "done" });
  edit("update runs set created_at = 7");
  const found: string[] = [];
  for (let after: { readonly createdAt: Date; readonly runId: string } | undefined; ; ) {
    const page = await journal.listRuns({ status: "done", limit: 10, after });
    found.push(...page.map(({ runId }) => runId));
    after = page.at(-1);
    if (after === undefined) break;
  }
  expect(found).toEqual(ids);
});

test("a run that continues has no calls and no end any more", async () => {
  const journal = openJournal();
  await (await journal.open("r")).close({ status: "waiting", calls });
  const again = await journal.open("r");
  expect(await journal.listRuns()).toMatchObject([{ status: "running" }]);
  expect((await journal.listRuns())[0]).not.toHaveProperty("calls");
  expect(await journal.deleteRuns({ endedBefore: new Date(Date.now() + 1000) })).toBe(0);
  await again.close({ status: "done" });
});

test("ended runs are removed with their steps, and no others", async () => {
  const journal = openJournal();
  const ids = Array.from({ length: 45 }, (_, at) => `r${at}`);
  for (const runId of [...ids, "new", "waiting", "cut"]) {
    const lease = await journal.open(runId);
    await record(lease, `${runId}/1/1`);
    if (runId === "cut") await lease.close();
    else await lease.close({ status: runId === "waiting" ? "waiting" : "done" });
  }
  const running = await journal.open("running");
  await record(running, "running/1/1");
  const now = Date.now();
  edit(
    `update runs set ended_at = iif(ended_at is null, null, ${now - 5000}), updated_at = ${now - 5000} where run_id <> 'new'`,
  );
  const endedBefore = new Date(now - 1000);
  expect(await journal.deleteRuns({ endedBefore })).toBe(45);
  const left = async () => (await journal.listRuns()).map(({ runId }) => runId).toSorted();
  expect(await left()).toEqual(["cut", "new", "running", "waiting"]);
  expect(await journal.deleteRuns({ endedBefore, statuses: [] })).toBe(0);
  expect(await journal.deleteRuns({ endedBefore, statuses: ["waiting"] })).toBe(1);
  expect(await journal.deleteRuns({ endedBefore, statuses: ["interrupted", "failed"] })).toBe(1);
  expect(await left()).toEqual(["new", "running"]);
  const reader = new DatabaseSync(path, { readOnly: true });
  expect(reader.prepare("select key from steps order by key").all()).toEqual([
    { key: "new/1/1" },
    { key: "running/1/1" },
  ]);
  reader.close();
  await running.close();
});

test("a run that was deleted and created again refuses its earlier writer", async () => {
  const journal = openJournal();
  const early = await journal.open("r");
  edit("update runs set lease_until = 1, updated_at = 1");
  const gone = { endedBefore: new Date(2), statuses: ["interrupted"] } as const;
  expect(await journal.deleteRuns(gone)).toBe(1);
  const next = await openJournal().open("r");
  await expect(early.begin({ key: "r/1/1", kind: "tool" })).rejects.toMatchObject({ kind: "lost" });
  expect(early.lost.reason).toMatchObject({ kind: "lost" });
  expect(await next.read("r/1/1")).toBeUndefined();
  await Promise.all([next.close(), early.close()]);
  const third = await openJournal().open("r");
  expect(await third.read("r/1/1")).toBeUndefined();
  await third.close();
});

test("calls that are not JSON any more are an error that names the run", async () => {
  const journal = openJournal();
  await (await journal.open("r")).close({ status: "waiting", calls });
  edit("update runs set calls = '['");
  await expect(journal.listRuns()).rejects.toMatchObject({
    kind: "damaged",
    message: expect.stringContaining('The calls of the run "r" are not JSON any more.'),
  });
});
