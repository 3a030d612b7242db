import { setTimeout as sleep } from "node:timers/promises";
import type { WorkerProcess } from "../processes.ts";
import type { Random } from "../random.ts";
import { drive, hasEnded, openStage, type Stage, startAttempt } from "../stage.ts";
import { pointsOfRun } from "../worker/script.ts";
import { disturbRuns, type Scenario } from "./scenario.ts";

/**
 * Pauses a worker until another one has taken its run, and lets it go on then. No one settles the
 * doubts: as long as the paused worker may go on, a call that did not happen yet may still happen.
 */
export const pauseWorkers: Scenario = async (context) => {
  const stage = openStage(context.row, "pauses");
  let done = 0;
  return disturbRuns(context, stage, async (run, random) => {
    if (await pauseOne(stage, run, random)) done++;
    return done;
  });
};

const longestUndisturbedMs = 400;

async function pauseOne(stage: Stage, run: string, random: Random): Promise<boolean> {
  const isByTime = random.isLess(0.5);
  const point = 2 + random.integer(pointsOfRun - 2);
  const afterMs = random.integer(longestUndisturbedMs);
  const first = await startAttempt(stage, {
    run,
    number: "paused",
    ...(!isByTime && { disturbance: { what: "pause", point } }),
  });
  if (isByTime) {
    await first.opened;
    await sleep(afterMs);
    first.signal("SIGSTOP");
  }
  const isPaused = isByTime || (await pausesItself(stage, run, first));
  const second = await startAttempt(stage, { run, number: 2 });
  await second.ended;
  // The engine reaches the first worker again, and this worker the engine.
  const port = await first.ready;
  if (port !== undefined) await stage.engine?.admit(run, port);
  first.signal("SIGCONT");
  await first.ended;
  if (!hasEnded(stage, run)) await drive(stage, run);
  return isPaused;
}

async function pausesItself(stage: Stage, run: string, worker: WorkerProcess): Promise<boolean> {
  while (!worker.hasEnded()) {
    if (stage.linesOf(run).some(({ event }) => event === "paused")) return true;
    await sleep(10);
  }
  return false;
}
