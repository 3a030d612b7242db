import { drive, openStage } from "../stage.ts";
import { pointsOfRun } from "../worker/script.ts";
import { disturbRuns, type Scenario } from "./scenario.ts";

/** Kills a worker at a random operation. The next one has changed tools. */
export const deployBetween: Scenario = async (context) => {
  const stage = openStage(context.row, "deployments");
  return disturbRuns(context, stage, async (run, random) => {
    const settles = random.isLess(0.5);
    const point = 1 + random.integer(pointsOfRun);
    await drive(stage, run, {
      prepare: (attempt) =>
        attempt === 1 ? { settles, disturbance: { what: "die", point } } : { settles, release: 2 },
    });
    return stage.kills;
  });
};
