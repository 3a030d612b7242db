import { setTimeout as sleep } from "node:timers/promises";
import { harmOf } from "../harm.ts";
import { createRandom } from "../random.ts";
import { openStage, startAttempt } from "../stage.ts";
import { pointsOfRun } from "../worker/script.ts";
import { untilRejected } from "./blocks.ts";
import {
  judgeStage,
  type Scenario,
  type ScenarioContext,
  type ScenarioResult,
} from "./scenario.ts";

type Remove = NonNullable<ReturnType<typeof harmOf>["remove"]>;

/** Deletes the journal at a random operation. The run is not started again, because that would repeat it. */
export const deleteJournals: Scenario = (context) => {
  const { remove } = harmOf(context.row.place);
  return remove === undefined ? undefined : deleteEach(context, remove);
};

/** The first points are before the journal is open. */
const firstPoint = 3;
/** An engine that would begin the run anew does so within this time. */
const engineMs = 4000;

async function deleteEach(
  { row, seed, times, onProgress }: ScenarioContext,
  remove: Remove,
): Promise<ScenarioResult> {
  const stage = openStage(row, "deletions");
  let deletions = 0;
  let isDeleted = false;
  stage.witness.onCut = async (_, run) => {
    await remove(stage.place, run);
    isDeleted = true;
    onProgress(++deletions);
  };
  for (let number = 1; deletions < times; number++) {
    const run = `deletions-${number}`;
    const random = createRandom(seed, `${row.place.row}/${run}`);
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
  }
  return judgeStage(stage, deletions);
}
