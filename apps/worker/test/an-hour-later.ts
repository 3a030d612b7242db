import { expect } from "vitest";
import type { WorkerProcess } from "./processes.ts";
import { allCalls, expectPublished, hasEnded, publish, startedCalls } from "./task-log.ts";
import type { Team } from "./team.ts";

interface Engine {
  /** How many processes have the run or will get it. */
  readonly countHolders: (runId: string) => Promise<number>;
  /** An answer is taken by a worker, not by a database. */
  readonly workersTakeAnswers: boolean;
}

/**
 * The demo's task is started on one worker, approved an hour later by the clock of the person, and
 * finished on another worker. No worker runs in between.
 */
export async function approveAnHourLater(
  team: Team,
  { countHolders, workersTakeAnswers }: Engine,
): Promise<void> {
  const runId = "an-hour";
  const first = team.hire();
  await first.until(({ type }) => type === "ready");
  await team.order(["start", runId]);
  await first.until(hasEnded(runId, "waiting"));
  await expect.poll(() => countHolders(runId)).toBe(0);
  expect(await first.end("SIGTERM")).toBe(0);
  expect(await team.listed(runId)).toMatchObject({
    status: "waiting",
    calls: [{ id: publish, name: "publish", needs: "decision" }],
  });

  const anHourLater = { CLOCK_AHEAD_MINUTES: "60" };
  expect(await team.order(["runs"], anHourLater)).toMatch(/^an-hour {2}waiting for 1 h/m);
  const hireSecond = (): WorkerProcess => team.hire(anHourLater);
  const early = workersTakeAnswers ? hireSecond() : undefined;
  await team.order(["approve", runId, publish], anHourLater);
  const second = early ?? hireSecond();
  const { worker: finishedBy, at } = await second.until(hasEnded(runId, "done"));

  expect(finishedBy).toBe(second.pid);
  expect(second.pid).not.toBe(first.pid);
  const waitedMs = Date.parse(String(at)) - Date.parse(String(first.lines.at(-1)?.["at"]));
  expect(waitedMs).toBeGreaterThanOrEqual(3_600_000);
  expect(startedCalls(second)).toEqual([publish]);
  expect(startedCalls(first, second)).toEqual(allCalls);
  expect(team.replies).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  expectPublished(team, runId);
}
