import { expect, test, vi } from "vitest";
import { approveAnHourLater } from "./an-hour-later.ts";
import type { LogLine } from "./processes.ts";
import {
  allCalls,
  expectPublished,
  hasEnded,
  holdReply,
  publish,
  startedCalls,
} from "./task-log.ts";
import { startTeam } from "./team.ts";

vi.setConfig({ testTimeout: 180_000 });
const team = await startTeam();

/** The rows that say that a process has the run or will get it. */
const countHolders = async (runId: string): Promise<number> => {
  const rows = await team.query(
    `select run_id from fullstop.journal_runs where run_id = $1 and lease_until > clock_timestamp()
     union all select workflow_uuid from dbos.workflow_status
     where queue_partition_key = $1 and status in ('PENDING', 'ENQUEUED', 'DELAYED')`,
    [runId],
  );
  return rows.length;
};

test("a run that one worker started is approved an hour later and finished by another", () =>
  approveAnHourLater(team, { countHolders, workersTakeAnswers: false }));

test("three workers take three runs from one queue", async () => {
  const runs = ["queue-1", "queue-2", "queue-3"];
  const allAsked = Promise.withResolvers<void>();
  let asked = 0;
  team.hold = (position) => {
    if (position === 0 && ++asked === runs.length) allAsked.resolve();
    return position === 0 ? allAsked.promise : undefined;
  };
  const workers = runs.map(() => team.hire({ CONCURRENCY: "1" }));
  await Promise.all(workers.map(({ until }) => until(({ type }) => type === "ready")));
  for (const runId of runs) await team.order(["start", runId]);
  const isTheirs = ({ type, runId = "" }: LogLine): boolean =>
    type === "end" && runs.includes(runId);
  const taken = workers.map(async ({ until }) => (await until(isTheirs)).runId);
  expect((await Promise.all(taken)).toSorted()).toEqual(runs);
});

test("a worker that is killed between two calls is replaced, and nothing is done twice", async () => {
  const runId = "killed";
  const { asked, release } = holdReply(team, 8);
  const first = team.hire();
  await first.until(({ type }) => type === "ready");
  await team.order(["start", runId]);
  await asked;
  expect(await first.end("SIGKILL")).toBe("SIGKILL");
  release();
  const second = team.hire();
  await second.until(hasEnded(runId, "waiting"));
  await team.order(["approve", runId, publish]);
  await second.until(hasEnded(runId, "done"));
  expect(startedCalls(first, second)).toEqual(allCalls);
  expect(startedCalls(first)).toContain("toolu_demo_8_3");
  expectPublished(team, runId);
});

test("a worker that was paused until its lease ended records nothing when it comes back", async () => {
  const runId = "paused";
  const { asked, release } = holdReply(team, 8);
  const first = team.hire();
  await first.until(({ type }) => type === "ready");
  await team.order(["start", runId]);
  await asked;
  process.kill(first.pid, "SIGSTOP");
  release();
  const second = team.hire();
  await second.until(hasEnded(runId, "waiting"));
  process.kill(first.pid, "SIGCONT");
  const { reason } = await first.until(({ type }) => type === "stopped");
  expect(reason).toContain("Another process has taken the run");
  await team.order(["approve", runId, publish]);
  const done = [first, second].map(({ until }) => until(hasEnded(runId, "done")));
  await Promise.any(done);
  expect(startedCalls(first, second).toSorted()).toEqual(allCalls.toSorted());
  expectPublished(team, runId);
});

test("a database that is away for longer than the lease loses no run", async () => {
  const runId = "away";
  const { asked, release } = holdReply(team, 8);
  const only = team.hire();
  await only.until(({ type }) => type === "ready");
  await team.order(["start", runId]);
  await asked;
  await team.postgres.kill();
  release();
  await only.until(({ type }) => type === "stopped");
  await team.postgres.restart();
  await only.until(hasEnded(runId, "waiting"));
  await team.order(["approve", runId, publish]);
  await only.until(hasEnded(runId, "done"));
  expect(startedCalls(only)).toEqual(allCalls);
  expectPublished(team, runId);
});

/** Leaves a run whose worker was stopped when `publish` reported this. */
async function stopWhilePublishing(
  runId: string,
  {
    at,
    signal,
    env,
  }: {
    readonly at: "uploading" | "uploaded";
    readonly signal: NodeJS.Signals;
    readonly env: Readonly<Record<string, string>>;
  },
): Promise<number | string> {
  const first = team.hire(env);
  await first.until(({ type }) => type === "ready");
  await team.order(["start", runId]);
  await first.until(hasEnded(runId, "waiting"));
  await team.order(["approve", runId, publish]);
  await first.until(({ type, progress }) => type === "tool-progress" && progress === at);
  return first.end(signal);
}

test("a call whose worker was killed after its effect is settled by a person, not repeated", async () => {
  const runId = "doubt";
  await stopWhilePublishing(runId, {
    at: "uploaded",
    signal: "SIGKILL",
    env: { ANNOUNCE_SECONDS: "100" },
  });
  expect(team.publications(runId)).toHaveLength(1);
  const second = team.hire();
  await second.until(hasEnded(runId, "waiting"));
  expect(await team.listed(runId)).toMatchObject({
    calls: [{ id: publish, needs: "settlement", idempotencyKey: expect.stringContaining(runId) }],
  });
  expect(await team.ask(["approve", runId, publish])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("had started, and its result is not known"),
  });
  await team.order(["settle", runId, publish, "--happened", "The page is online: I looked."]);
  await second.until(hasEnded(runId, "done"));
  expect(startedCalls(second)).toEqual([]);
  expectPublished(team, runId);
});

test("SIGTERM gives a run back at once, and a call that did not happen runs on another worker", async () => {
  const runId = "deployment";
  const hours = { LEASE_SECONDS: "7200" };
  const code = await stopWhilePublishing(runId, {
    at: "uploading",
    signal: "SIGTERM",
    env: { UPLOAD_SECONDS: "100", ...hours },
  });
  expect(code).toBe(0);
  expect(team.publications(runId)).toEqual([]);
  expect(await team.listed(runId)).toMatchObject({ status: "aborted", queued: true });
  const second = team.hire(hours);
  await second.until(hasEnded(runId, "waiting"));
  await team.order(["settle", runId, publish, "--did-not-happen"], hours);
  await second.until(hasEnded(runId, "done"));
  expect(startedCalls(second)).toEqual([publish]);
  expectPublished(team, runId);
});

test("a call that is denied does not run", async () => {
  const runId = "denied";
  const first = team.hire();
  await first.until(({ type }) => type === "ready");
  await team.order(["start", runId]);
  await first.until(hasEnded(runId, "waiting"));
  await team.order(["deny", runId, publish, "The prices are old."]);
  await first.until(hasEnded(runId, "done"));
  expect(startedCalls(first)).not.toContain(publish);
  expect(team.publications(runId)).toEqual([]);
  expect(await team.ask(["start", runId])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('exists: it is "done". Choose another name.'),
  });
});
