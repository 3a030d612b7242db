import { createRandom } from "../random.ts";
import { drive, hasEnded, openStage, type Stage, startAttempt } from "../stage.ts";
import { inLanes, judgeStage, type Scenario } from "./scenario.ts";

/** Starts two workers for each run at once. The slow effect takes longer than a lease. */
export const startTwo: Scenario = async ({ row, seed, times, onProgress }) => {
  const stage = openStage(row, "two-workers");
  let done = 0;
  await inLanes(
    times,
    () => done,
    async (number) => {
      const run = `two-${number}`;
      const random = createRandom(seed, `${row.place.row}/${run}`);
      const slowMs = row.place.leaseMs * (random.isLess(0.5) ? 1.5 : 0.2);
      await runTwice(stage, run, slowMs);
      onProgress(++done);
    },
  );
  return judgeStage(stage, done);
};

async function runTwice(stage: Stage, run: string, slowMs: number): Promise<void> {
  const workers = await Promise.all(
    ["a", "b"].map((number) => startAttempt(stage, { run, number, slowMs })),
  );
  await Promise.all(workers.map(({ ended }) => ended));
  if (!hasEnded(stage, run)) await drive(stage, run);
}
