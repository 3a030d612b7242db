import { postgresJournal } from "@fullstop/journal-postgres";
import { JournalError } from "@fullstop/loop/journal";
import { expect, test } from "vitest";
import { startDatabase, step } from "./database.ts";

const database = await startDatabase();
const pool = database.pool();
const journal = postgresJournal(pool, { leaseMs: 5000 });
let runs = 0;
const newRun = (): string => `run-${++runs}`;

/** Opens a run in another process, as far as the journal can see. */
const reopen = (runId: string) => postgresJournal(database.pool(), { leaseMs: 5000 }).open(runId);

test("another pool reads what was recorded: a beginning, a result, and nothing", async () => {
  const runId = newRun();
  const first = await journal.open(runId);
  expect(await first.read(`${runId}/1/1`)).toBeUndefined();
  await first.begin(step(`${runId}/1/1`));
  await first.begin(step(`${runId}/1/2`));
  await first.end(step(`${runId}/1/2`), '{"value":7}');
  await first.close();
  const second = await reopen(runId);
  expect(await second.read(`${runId}/1/1`)).toEqual({ state: "begun" });
  expect(await second.read(`${runId}/1/2`)).toEqual({ state: "ended", json: '{"value":7}' });
  expect(await second.read(`${runId}/1/3`)).toBeUndefined();
  await second.close();
});

test("a beginning that arrives after the result does not remove it", async () => {
  const runId = newRun();
  const first = await journal.open(runId);
  await first.end(step("k"), "1");
  await first.begin(step("k"));
  await first.close();
  const second = await reopen(runId);
  expect(await second.read("k")).toEqual({ state: "ended", json: "1" });
  await second.close();
});

test("results come back byte for byte: U+0000, halves of pairs, large numbers, order, 10 MB", async () => {
  const runId = newRun();
  const texts = [
    JSON.stringify({ value: "a\u0000b\ud800c\udfff", line: "\u2028" }),
    '{ "b": 1, "a": 12345678901234567890.000, "a": 2 }',
    JSON.stringify({ value: "🧾'\"\\ $1 \n".repeat(100) }),
    JSON.stringify({ value: "x".repeat(10 * 1024 * 1024) }),
  ];
  const first = await journal.open(runId);
  await Promise.all(texts.map((json, position) => first.end(step(`${runId}/${position}`), json)));
  await first.close();
  const second = await reopen(runId);
  for (const [position, json] of texts.entries())
    expect(await second.read(`${runId}/${position}`)).toEqual({ state: "ended", json });
  await second.close();
});

test("a step above the limit is refused, and the lease goes on", async () => {
  const small = postgresJournal(pool, { maxStepBytes: 10 });
  const lease = await small.open(newRun());
  expect(lease.maxStepBytes).toBe(10);
  const refused = lease.end(step("k"), '"ääääää"');
  await expect(refused).rejects.toMatchObject({ name: "JournalError", kind: "too-large" });
  await lease.end(step("k"), '"äääa"');
  await lease.close();
});

test("many and large steps are loaded in pages, and none is left out", async () => {
  const runId = newRun();
  const first = await journal.open(runId);
  const big = JSON.stringify("y".repeat(3 * 1024 * 1024));
  const keys = Array.from({ length: 1203 }, (_, position) => `${runId}/${position}`);
  const isBig = (position: number): boolean => position % 100 === 7;
  await Promise.all(
    keys.map((key, position) => {
      if (position % 5 === 0) return first.begin(step(key));
      return first.end(step(key), isBig(position) ? big : String(position));
    }),
  );
  await first.close();
  const second = await reopen(runId);
  for (const [position, key] of keys.entries()) {
    const found = await second.read(key);
    if (position % 5 === 0) expect(found).toEqual({ state: "begun" });
    else expect(found).toEqual({ state: "ended", json: isBig(position) ? big : String(position) });
  }
  await second.close();
});

test("one pool with one connection is enough for the parallel steps of several runs", async () => {
  const narrow = postgresJournal(database.pool({ max: 1 }));
  const leases = await Promise.all([1, 2, 3].map(() => narrow.open(newRun())));
  await Promise.all(
    leases.flatMap((lease) =>
      ["a", "b", "c"].map(async (key) => {
        await lease.begin(step(key));
        await lease.end(step(key), "1");
      }),
    ),
  );
  await Promise.all(leases.map((lease) => lease.close()));
});

const hostile = [
  "'; drop table fullstop.journal_runs; --",
  '"quoted" $1 %s \\ E\\\' {}',
  "line\nbreak\ttab\u0001\u200b\ufeff",
  "Ä🧾é e\u0301",
  " ",
  "x".repeat(1000),
];
test.for(hostile)("the run id %j is stored as it is", async (runId) => {
  const first = await journal.open(runId);
  await first.end(step(`${runId}/1/1`), "1");
  await first.close({ status: "done" });
  const second = await reopen(runId);
  expect(await second.read(`${runId}/1/1`)).toEqual({ state: "ended", json: "1" });
  expect(await second.read(`${runId}/1/1 `)).toBeUndefined();
  await second.close({ status: "done" });
  const listed = await journal.listRuns({ limit: 1000 });
  expect(listed.map(({ runId: id }) => id)).toContain(runId);
});

test.for([
  ["a\0b", "has the character U+0000"],
  ["a\ud800", "has half of a surrogate pair"],
  ["x".repeat(1001), "has 1001 bytes, and the journal takes at most 1000"],
  ["", "is empty"],
] as const)("the run id %j is refused: it %s", async ([runId, problem]) => {
  await expect(journal.open(runId)).rejects.toThrow(problem);
  await expect(journal.open(runId)).rejects.toThrow("Use another `journal.runId`.");
});

test("ids that differ by case or by normal form are different runs", async () => {
  const ids = ["Run", "run", "\u00e9", "e\u0301"];
  const leases = await Promise.all(ids.map((runId) => journal.open(runId)));
  for (const [position, lease] of leases.entries()) await lease.end(step("k"), String(position));
  await Promise.all(leases.map((lease) => lease.close()));
  const again = await reopen("e\u0301");
  expect(await again.read("k")).toEqual({ state: "ended", json: "3" });
  await again.close();
});

test("of two pools one writes a run, and the other one gets it after the end", async () => {
  const runId = newRun();
  const brief = { leaseMs: 5000 };
  const first = await postgresJournal(pool, brief).open(runId);
  const other = postgresJournal(database.pool(), brief);
  const refused = other.open(runId);
  await expect(refused).rejects.toMatchObject({ kind: "in-use" });
  await expect(refused).rejects.toBeInstanceOf(JournalError);
  await first.end(step("k"), "1");
  await first.close();
  const second = await other.open(runId);
  expect(await second.read("k")).toEqual({ state: "ended", json: "1" });
  await second.close();
});

test("of twenty that open a run at once, one writes it at a time", async () => {
  const runId = newRun();
  let open = 0;
  let opened = 0;
  await Promise.all(
    Array.from({ length: 20 }, async () => {
      const lease = await journal.open(runId).catch((thrown: JournalError) => {
        expect(thrown.kind).toBe("in-use");
      });
      if (lease === undefined) return;
      opened++;
      expect(++open).toBe(1);
      await lease.end(step(`k${opened}`), "1");
      open--;
      await lease.close();
    }),
  );
  expect(opened).toBeGreaterThanOrEqual(1);
});

test("an open that waits ends with its signal", async () => {
  const runId = newRun();
  const first = await journal.open(runId);
  const controller = new AbortController();
  const waiting = journal.open(runId, controller.signal);
  controller.abort(new Error("no time"));
  await expect(waiting).rejects.toThrow("no time");
  await first.close();
});
