import { setTimeout as sleep } from "node:timers/promises";
import { harmOf } from "../harm.ts";
import type { Random } from "../random.ts";
import { openStage, startAttempt } from "../stage.ts";
import { pointsOfRun } from "../worker/script.ts";
import { untilRejected } from "./blocks.ts";
import { disturbRuns, type Scenario } from "./scenario.ts";

/** The first points are before the journal is open. */
const firstPoint = 3;
/** An engine that would begin the run anew does so within this time. */
const engineMs = 4000;

/** Deletes the journal at a random operation. The run is not started again, because that would repeat it. */
export const deleteJournals: Scenario = async (context) => {
  const { remove } = harmOf(context.row.place);
  if (remove === undefined) return undefined;
  const stage = openStage(context.row, "deletions");
  let deletions = 0;
  let isDeleted = false;
  stage.witness.onCut = async (_, run) => {
    await remove(stage.place, run);
    isDeleted = true;
    deletions++;
  };
  const work = async (run: string, random: Random): Promise<number> => {
    // Not the last operation: after it the run is over.
    const point = firstPoint + random.integer(pointsOfRun - firstPoint - 1);
    const disturbance = { what: "delete", point } as const;
    isDeleted = false;
    const worker = await startAttempt(stage, { run, number: 1, disturbance });
    await untilRejected(stage, run, worker, () => isDeleted);
    if (isDeleted && stage.engine !== undefined) {
      await sleep(engineMs);
      worker.signal("SIGTERM");
    }
    await worker.ended;
    return deletions;
  };
  return disturbRuns(context, stage, work, 1);
};
