import { once } from "node:events";
import { DatabaseSync } from "node:sqlite";
import { afterEach, expect, test } from "vitest";
import { openJournal, path, record, useNewFolders } from "./journal-folder.ts";
import { endPrograms, startProgram } from "./programs.ts";

useNewFolders();

afterEach(endPrograms);

/** Takes the run `r`, begins a step, and obeys: `end` ends the step, `close` gives the run back. */
const holder = `
  const lease = await sqliteJournal(path, { leaseMs: Number(rest[0]) }).open("r");
  await lease.begin({ key: "r/1/1", kind: "tool" });
  lease.lost.addEventListener("abort", () => say({ lost: lease.lost.reason.kind }));
  say("begun");
  if (rest[1] === "pause") process.kill(process.pid, "SIGSTOP");
  process.stdin.once("data", () => lease.end({ key: "r/1/1", kind: "tool" }, '"late"')
    .then(() => lease.close({ status: "done" }))
    .then(() => say("closed"), ({ kind, message }) => say({ kind, message }))
    .finally(() => process.exit()));
`;

test("a run of a living process is in use, and free after it has ended", async () => {
  const other = startProgram(holder, [path, "6000"]);
  expect(await other.next()).toBe("begun");
  const journal = openJournal();
  await expect(journal.open("r")).rejects.toMatchObject({
    name: "JournalError",
    kind: "in-use",
    message:
      'Another process is running "r". Try again when it has ended, or use another `journal.runId`.',
  });
  const second = await journal.open("s");
  await second.close();
  other.process.stdin?.write("end");
  expect(await other.next()).toBe("closed");
  expect(await other.ended).toBe(0);
  const lease = await journal.open("r");
  expect(await lease.read("r/1/1")).toEqual({ state: "ended", json: '"late"' });
  await lease.close();
});

test("a run of a killed process is free at once, and its step is in doubt", async () => {
  const other = startProgram(holder, [path, "600000"]);
  expect(await other.next()).toBe("begun");
  other.process.kill("SIGKILL");
  expect(await other.ended).toBe("SIGKILL");
  const lease = await openJournal().open("r");
  expect(await lease.read("r/1/1")).toEqual({ state: "begun" });
  await lease.close();
});

test.each([
  ["that is not known", "null"],
  ["of another container", `'{"place":"elsewhere","pid":999999999,"start":""}'`],
])("the run of a process %s is free when its lease ends", async (_, stored) => {
  const other = startProgram(holder, [path, "6000"]);
  expect(await other.next()).toBe("begun");
  other.process.kill("SIGKILL");
  expect(await other.ended).toBe("SIGKILL");
  const database = new DatabaseSync(path);
  database.exec(`update runs set holder = ${stored}`);
  const journal = openJournal();
  const opening = journal.open("r");
  await journal.listRuns();
  expect(await journal.listRuns({ status: "running" })).toHaveLength(1);
  database.exec("update runs set lease_until = 1");
  database.close();
  await (await opening).close();
});

test.runIf(process.platform === "linux")(
  "the run of a process whose pid has another process now is free at once",
  async () => {
    const other = startProgram(holder, [path, "600000", "pause"]);
    expect(await other.next()).toBe("begun");
    const database = new DatabaseSync(path);
    database.exec("update runs set holder = json_set(holder, '$.start', '1')");
    database.close();
    await (await openJournal().open("r")).close();
  },
);

test("what was acknowledged survives a kill in the middle of a write", async () => {
  const writer = `
    const lease = await sqliteJournal(path).open("r");
    for (let at = 0; ; at++) {
      const step = { key: rest[0] + "/" + at, kind: "tool" };
      await lease.end(step, JSON.stringify("x".repeat((at % 7) * 10_000)));
      say(at);
    }`;
  const acknowledged: string[] = [];
  for (let attempt = 1; attempt <= 8; attempt++) {
    const program = startProgram(writer, [path, String(attempt)]);
    let latest = await program.next();
    while (Number(latest) < attempt * 3) latest = await program.next();
    program.process.kill("SIGKILL");
    // What the program said before it died is still in the pipe.
    for (; latest !== undefined; latest = await program.next())
      acknowledged.push(`${attempt}/${latest}`);
    expect(await program.ended).toBe("SIGKILL");
  }
  const lease = await openJournal().open("r");
  for (const key of acknowledged)
    expect((await lease.read(key)) ?? key).toMatchObject({ state: "ended" });
  await lease.close();
  const reader = new DatabaseSync(path, { readOnly: true });
  expect(reader.prepare("pragma integrity_check").all()).toEqual([{ integrity_check: "ok" }]);
  reader.close();
});

test("a process that was paused for longer than its lease writes nothing afterwards", async () => {
  const other = startProgram(holder, [path, "500", "pause"]);
  expect(await other.next()).toBe("begun");
  const journal = openJournal();
  const lease = await journal.open("r");
  expect(await lease.read("r/1/1")).toEqual({ state: "begun" });
  other.process.stdin?.write("end");
  other.process.kill("SIGCONT");
  expect([await other.next(), await other.next()]).toEqual(
    expect.arrayContaining([
      { lost: "lost" },
      { kind: "lost", message: expect.stringContaining('Another process has taken the run "r"') },
    ]),
  );
  expect(await other.ended).toBe(0);
  await record(lease, "r/1/2");
  await lease.close({ status: "done" });
  const after = await openJournal().open("r");
  expect(await after.read("r/1/1")).toEqual({ state: "begun" });
  await after.close();
});

test("a process that was paused goes on if its run was not taken", async () => {
  const other = startProgram(holder, [path, "300", "pause"]);
  expect(await other.next()).toBe("begun");
  const reader = new DatabaseSync(path, { readOnly: true });
  const left = reader.prepare("select lease_until - unixepoch('subsec') * 1000 as ms from runs");
  while (Number(left.get()?.["ms"]) > -100) await new Promise((resolve) => setTimeout(resolve, 20));
  reader.close();
  other.process.stdin?.write("end");
  other.process.kill("SIGCONT");
  expect(await other.next()).toBe("closed");
});

test("at most one of many processes takes a run", async () => {
  const taker = `
    process.stdin.once("data", async () => {
      await sqliteJournal(path, { leaseMs: 6000 }).open("r")
        .then(() => say("taken"), ({ kind }) => say(kind));
      process.stdin.once("data", () => process.exit());
    });
    say("ready");`;
  const programs = Array.from({ length: 5 }, () => startProgram(taker, [path]));
  for (const program of programs) expect(await program.next()).toBe("ready");
  for (const program of programs) program.process.stdin?.write("go");
  const answers = await Promise.all(programs.map((program) => program.next()));
  expect(answers.toSorted()).toEqual(["in-use", "in-use", "in-use", "in-use", "taken"]);
  for (const program of programs) program.process.stdin?.write("end");
  for (const program of programs) expect(await program.ended).toBe(0);
});

test("processes that create the file at the same time all work, and lose nothing", async () => {
  const worker = `
    process.stdin.once("data", async () => {
      const journal = sqliteJournal(path);
      const lease = await journal.open("run " + rest[0]);
      for (let at = 0; at < 40; at++) {
        const step = { key: rest[0] + "/" + at, kind: "tool" };
        await lease.begin(step);
        await lease.end(step, JSON.stringify("x".repeat(at * 500)));
      }
      await lease.close({ status: "done" });
      await journal.close();
      say("done");
      process.exit();
    });
    say("ready");`;
  const programs = Array.from({ length: 8 }, (_, at) => startProgram(worker, [path, String(at)]));
  for (const program of programs) expect(await program.next()).toBe("ready");
  for (const { process } of programs) process.stdin?.write("go");
  for (const program of programs) expect(await program.next()).toBe("done");
  for (const program of programs) expect(await program.ended).toBe(0);
  const runs = await openJournal().listRuns();
  expect(runs.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => "done"));
  const reader = new DatabaseSync(path, { readOnly: true });
  const count = "select count(*) as steps, sum(length(json)) as length from steps";
  expect(reader.prepare(count).get()).toEqual({
    steps: 320,
    length: 8 * Array.from({ length: 40 }, (_, at) => at * 500 + 2).reduce((sum, one) => sum + one),
  });
  reader.close();
});

test("each of many files is created by one of several processes", async () => {
  const creator = `
    import { createInterface } from "node:readline";
    for await (const file of createInterface(process.stdin)) {
      const journal = sqliteJournal(file);
      await journal.open("run " + rest[0])
        .then((lease) => lease.close())
        .then(() => say("created"), ({ message }) => say(message));
      await journal.close();
    }`;
  const programs = Array.from({ length: 4 }, (_, at) => startProgram(creator, [path, String(at)]));
  for (let round = 1; round <= 60; round++) {
    for (const { process } of programs) process.stdin?.write(`${path}.${round}\n`);
    const answers = await Promise.all(programs.map((program) => program.next()));
    expect(answers).toEqual(programs.map(() => "created"));
  }
  for (const { process } of programs) process.stdin?.end();
  for (const program of programs) expect(await program.ended).toBe(0);
});

test("a write waits while another process holds the lock of the file", async () => {
  const journal = openJournal();
  const lease = await journal.open("r");
  const locker = startProgram(
    `import { DatabaseSync } from "node:sqlite";
    const database = new DatabaseSync(path);
    database.exec("begin immediate");
    say("locked");
    process.stdin.once("data", () => { database.exec("commit"); process.exit(); });`,
    [path],
  );
  expect(await locker.next()).toBe("locked");
  let isWritten = false;
  const writing = record(lease, "r/1/1").then(() => {
    isWritten = true;
  });
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setTimeout(resolve, 5));
  expect(isWritten).toBe(false);
  locker.process.stdin?.write("go");
  await once(locker.process, "exit");
  await writing;
  await lease.close();
});
