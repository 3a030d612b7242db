import { drive, hasEnded, openStage, startAttempt } from "../stage.ts";
import { disturbRuns, type Scenario } from "./scenario.ts";

/** Starts two workers for each run at once. The slow effect takes longer than a lease. */
export const startTwo: Scenario = async (context) => {
  const stage = openStage(context.row, "two-workers");
  let done = 0;
  return disturbRuns(context, stage, async (run, random) => {
    const slowMs = stage.place.leaseMs * (random.isLess(0.5) ? 1.5 : 0.2);
    const workers = await Promise.all(
      ["a", "b"].map((number) => startAttempt(stage, { run, number, slowMs })),
    );
    await Promise.all(workers.map(({ ended }) => ended));
    if (!hasEnded(stage, run)) await drive(stage, run);
    return ++done;
  });
};
