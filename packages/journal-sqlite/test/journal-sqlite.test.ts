import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { sqliteJournal } from "@fullstop/journal-sqlite";
import { durableObjectJournal } from "@fullstop/journal-sqlite/durable-object";
import { expect, test } from "vitest";
import { folder, openJournal, path, record, useNewFolders } from "./journal-folder.ts";

useNewFolders();

test("nothing happens to the file before the first run", () => {
  openJournal();
  expect(readdirSync(folder)).toEqual([]);
});

test("a step is begun, then ended, also for the next process", async () => {
  const lease = await openJournal().open("r");
  expect(await lease.read("r/1/1")).toBeUndefined();
  await lease.begin({ key: "r/1/1", kind: "tool" });
  await lease.begin({ key: "r/1/2", kind: "tool" });
  expect(await lease.read("r/1/1")).toEqual({ state: "begun" });
  await lease.end({ key: "r/1/1", kind: "tool" }, '{"paid":1.0}');
  expect(await lease.read("r/1/1")).toEqual({ state: "ended", json: '{"paid":1.0}' });
  await lease.close();
  const next = await openJournal().open("r");
  expect(await next.read("r/1/1")).toEqual({ state: "ended", json: '{"paid":1.0}' });
  expect(await next.read("r/1/2")).toEqual({ state: "begun" });
  await next.close();
});

test("a step is in the file when it has resolved", async () => {
  const lease = await openJournal().open("r");
  const reader = new DatabaseSync(path, { readOnly: true });
  const states = () =>
    reader
      .prepare("select key, json from steps order by key")
      .all()
      .map((row) => ({ ...row }));
  await lease.begin({ key: "a", kind: "tool" });
  expect(states()).toEqual([{ key: "a", json: null }]);
  await lease.end({ key: "a", kind: "tool" }, "1");
  expect(states()).toEqual([{ key: "a", json: "1" }]);
  expect(reader.prepare("pragma journal_mode").get()).toEqual({ journal_mode: "wal" });
  reader.close();
  await lease.close();
});

test("a beginning that comes after the end does not remove the result", async () => {
  const lease = await openJournal().open("r");
  await record(lease, "a");
  await lease.begin({ key: "a", kind: "tool" });
  await lease.close();
  const next = await openJournal().open("r");
  expect(await next.read("a")).toEqual({ state: "ended", json: '"did a"' });
  await next.close();
});

const hostile = [
  "",
  "1",
  "r\0s",
  "r\ud800",
  "r\ud801",
  "r\ufffd",
  "'); drop table runs; --",
  "😀/\u2028/\n",
  ":runId",
  "x".repeat(20_000),
];

test("each run id and each key is kept as it is, and no two become one", async () => {
  const journal = openJournal();
  for (const runId of hostile) {
    const lease = await journal.open(runId);
    for (const key of hostile) await record(lease, key, `${runId} ${key}`);
    await lease.close({ status: "done" });
  }
  const other = openJournal();
  for (const runId of hostile) {
    const lease = await other.open(runId);
    for (const key of hostile)
      expect(await lease.read(key)).toEqual({
        state: "ended",
        json: JSON.stringify(`${runId} ${key}`),
      });
    await lease.close({ status: "done" });
  }
  const listed = await other.listRuns();
  expect(listed.map(({ runId }) => runId).toSorted()).toEqual(hostile.toSorted());
});

test("a value is read as the text that was written", async () => {
  const texts = [
    '{ "b" : 1.0, "a" : [ ] }',
    '"\\u0000 \\ud800 \u2028"',
    '"half \ud800 of a pair"',
    "12345678901234567890.0",
    "null",
    `"${"long ä😀".repeat(1_300_000)}"`,
  ];
  const lease = await openJournal().open("r");
  for (const [at, text] of texts.entries())
    await lease.end({ key: `r/${at}`, kind: "model" }, text);
  await lease.close();
  const next = await openJournal().open("r");
  for (const [at, text] of texts.entries())
    expect((await next.read(`r/${at}`)) ?? at).toEqual({ state: "ended", json: text });
  await next.close();
});

test("a result above the limit is refused, and the run can go on", async () => {
  const lease = await openJournal({ maxStepBytes: 1000 }).open("r");
  expect(lease.maxStepBytes).toBe(1000);
  const step = { key: "a", kind: "tool" } as const;
  await expect(lease.end(step, JSON.stringify("ä".repeat(600)))).rejects.toMatchObject({
    name: "JournalError",
    kind: "too-large",
    message: expect.stringContaining("has 1202 bytes, and the journal takes at most 1000"),
  });
  await lease.end(step, '"less"');
  await lease.close();
  const usual = await openJournal().open("s");
  expect(usual.maxStepBytes).toBe(16 * 1024 * 1024);
  await usual.close();
});

test("a long run is loaded completely", async () => {
  const keys = Array.from({ length: 1234 }, (_, at) => `r/${at}/1`);
  const lease = await openJournal().open("r");
  await Promise.all(keys.map((key) => record(lease, key)));
  await lease.close();
  const next = await openJournal().open("r");
  for (const key of keys)
    expect(await next.read(key)).toEqual({ state: "ended", json: JSON.stringify(`did ${key}`) });
  await next.close();
});

test("steps that end at the same time share a transaction", async () => {
  const lease = await openJournal().open("r");
  const changes = new DatabaseSync(path, { readOnly: true });
  const version = (): number =>
    Number(changes.prepare("pragma data_version").get()?.["data_version"]);
  const before = version();
  const steps = Array.from(
    { length: 50 },
    (_, at) => ({ key: `r/1/${at}`, kind: "tool" }) as const,
  );
  await Promise.all(steps.map((step) => lease.begin(step)));
  expect(version() - before).toBe(1);
  expect(changes.prepare("select count(*) as count from steps").get()).toEqual({
    count: 50,
  });
  changes.close();
  await lease.close();
});

test("close waits for pending writes, and later calls reject", async () => {
  const journal = openJournal();
  const lease = await journal.open("r");
  const writing = lease.begin({ key: "a", kind: "tool" });
  await Promise.all([journal.close(), journal.close(), writing]);
  const closed = `The journal ${path} is closed.`;
  await expect(lease.begin({ key: "b", kind: "tool" })).rejects.toThrow(closed);
  await expect(journal.open("s")).rejects.toThrow(closed);
  await expect(journal.listRuns()).rejects.toThrow(closed);
  expect(existsSync(`${path}-wal`)).toBe(false);
  const next = await openJournal({ leaseMs: 100 }).listRuns();
  expect(next).toHaveLength(1);
});

test("a relative path counts from the folder at the beginning", async () => {
  const before = process.cwd();
  process.chdir(folder);
  const journal = sqliteJournal("own.db");
  process.chdir(before);
  await (await journal.open("r")).close();
  await journal.close();
  expect(existsSync(join(folder, "own.db"))).toBe(true);
});

test.each([
  [{ leaseMs: 0 }, "`leaseMs` of `sqliteJournal` must be a whole number, at least 1, not 0."],
  [{ maxStepBytes: "5" }, "`maxStepBytes` of `sqliteJournal` must be a whole number"],
  [{ lease: 5 }, "Unknown option `lease` of `sqliteJournal`."],
])("wrong options are an error at once: %j", (options, sentence) => {
  expect(() => sqliteJournal(path, options as never)).toThrow(sentence);
});

test("a database in memory, and a missing path, are refused", () => {
  for (const name of ["", ":memory:", undefined])
    expect(() => sqliteJournal(name as string)).toThrow("Give the path of a file");
});

test("durableObjectJournal says what to pass if it gets nothing", () => {
  expect(() => durableObjectJournal(undefined as never)).toThrow(
    "`durableObjectJournal` needs the storage of an object: `ctx.storage`.",
  );
});
