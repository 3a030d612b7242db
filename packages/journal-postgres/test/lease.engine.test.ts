import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { postgresJournal } from "@fullstop/journal-postgres";
import { expect, test } from "vitest";
import { startDatabase, step } from "./database.ts";
import { openNetwork } from "./silent-network.ts";

const database = await startDatabase();
const operator = database.pool();
const leaseMs = 2000;
const journal = postgresJournal(operator, { leaseMs });

const stepsOf = async (runId: string) =>
  (
    await operator.query(
      "select key, json from fullstop.journal_steps where run_id = $1 order by key",
      [runId],
    )
  ).rows;
async function untilBlocked(count: number): Promise<void> {
  const waiting = "select from pg_stat_activity where wait_event_type = 'Lock'";
  while (((await operator.query(waiting)).rowCount ?? 0) < count)
    await new Promise((resolve) => setTimeout(resolve, 10));
}

interface Holder {
  readonly child: ChildProcess;
  /** The next line that the process prints. */
  line(): Promise<string>;
  say(line: string): void;
  readonly exit: Promise<unknown>;
}
/** Another process that opens the run and records the beginning of a step. */
async function startHolder(runId: string): Promise<Holder> {
  const program = fileURLToPath(new URL("./holder.ts", import.meta.url));
  const flags = ["--conditions=@fullstop/source", program, database.url, runId, String(leaseMs)];
  const child = spawn(process.execPath, flags, { stdio: ["pipe", "pipe", "inherit"] });
  const exit = once(child, "exit");
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const line = async (): Promise<string> => (await lines.next()).value ?? "ended";
  expect(await line()).toBe("begun");
  return { child, line, say: (text) => child.stdin.write(`${text}\n`), exit };
}

test("a process that was paused beyond its lease records nothing, and learns why", async () => {
  const { child, line, say, exit } = await startHolder("paused");
  try {
    child.kill("SIGSTOP");
    const second = await journal.open("paused");
    expect(await second.read("paused/1/1")).toEqual({ state: "begun" });
    await second.end(step("paused/1/1"), '"settled"');
    say("end");
    child.kill("SIGCONT");
    expect(JSON.parse(await line())).toEqual({
      name: "JournalError",
      kind: "lost",
      aborted: true,
      message: expect.stringContaining('Another process has taken the run "paused"'),
    });
    await second.end(step("paused/1/2"), "2");
    await second.close({ status: "done" });
  } finally {
    child.kill("SIGKILL");
    await exit;
  }
  expect(await stepsOf("paused")).toEqual([
    { key: "paused/1/1", json: '"settled"' },
    { key: "paused/1/2", json: "2" },
  ]);
});

test("a process that was paused goes on if no other one took its run", async () => {
  const { child, line, say, exit } = await startHolder("alone");
  child.kill("SIGSTOP");
  await operator.query(
    "update fullstop.journal_runs set lease_until = now() - interval '1 s' where run_id = 'alone'",
  );
  say("end");
  child.kill("SIGCONT");
  expect(await line()).toBe("ended step");
  expect(await exit).toEqual([0, null]);
  expect(await stepsOf("alone")).toEqual([{ key: "alone/1/1", json: '"late"' }]);
});

test("the run of a process that was killed is free when its lease ends", async () => {
  const { child, exit } = await startHolder("killed");
  child.kill("SIGKILL");
  await exit;
  const second = await journal.open("killed");
  expect(await second.read("killed/1/1")).toEqual({ state: "begun" });
  await second.close();
});

test("a step that is being written while another process takes the run is refused", async () => {
  const lease = await postgresJournal(database.pool(), { leaseMs: 60_000 }).open("overtaken");
  const taker = await operator.connect();
  try {
    await taker.query("begin");
    await taker.query(
      "update fullstop.journal_runs set fence = fence + 1 where run_id = 'overtaken'",
    );
    const end = lease.end(step("k"), "1");
    const refused = expect(end).rejects.toMatchObject({ kind: "lost" });
    await untilBlocked(1);
    await taker.query("commit");
    await refused;
  } finally {
    taker.release();
  }
  expect(await stepsOf("overtaken")).toEqual([]);
});

test("a process that takes a run waits for a step that is being written, and reads it", async () => {
  const lease = await postgresJournal(database.pool(), { leaseMs: 60_000 }).open("written");
  await operator.query(
    "update fullstop.journal_runs set lease_until = now() - interval '1 s' where run_id = 'written'",
  );
  const blocker = await operator.connect();
  try {
    await blocker.query("begin");
    await blocker.query(
      "insert into fullstop.journal_steps (run_id, key, kind) values ('written', 'k', 'tool')",
    );
    const end = lease.end(step("k"), "1");
    await untilBlocked(1);
    const opening = journal.open("written");
    await untilBlocked(2);
    await blocker.query("rollback");
    await end;
    const second = await opening;
    expect(await second.read("k")).toEqual({ state: "ended", json: "1" });
    await second.close();
  } finally {
    blocker.release();
  }
});

test("a renewal that arrives after the run was given back does not take it again", async () => {
  const network = await openNetwork(database.url);
  try {
    const pool = database.pool({ connectionString: network.url });
    const lease = await postgresJournal(pool, { leaseMs }).open("renewed");
    network.fallSilent();
    await network.untilHeld(); // the renewal
    network.recover();
    await lease.close({ status: "done" });
    const before = await journal.listRuns();
    await network.deliverHeld();
    expect(await journal.listRuns()).toEqual(before);
    expect(before).toContainEqual(expect.objectContaining({ runId: "renewed", status: "done" }));
  } finally {
    await network.close();
  }
});
