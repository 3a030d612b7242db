import { createRandom } from "../random.ts";
import { drive, openStage } from "../stage.ts";
import { pointsOfRun } from "../worker/script.ts";
import { inLanes, judgeStage, type Scenario } from "./scenario.ts";

/** Kills a worker at a random operation. The next one has changed tools. */
export const deployBetween: Scenario = async ({ row, seed, times, onProgress }) => {
  const stage = openStage(row, "deployments");
  await inLanes(
    times,
    () => stage.kills,
    async (number) => {
      const run = `deployments-${number}`;
      const random = createRandom(seed, `${row.place.row}/${run}`);
      const settles = random.isLess(0.5);
      const point = 1 + random.integer(pointsOfRun);
      await drive(stage, run, {
        prepare: (attempt) =>
          attempt === 1
            ? { settles, disturbance: { what: "die", point } }
            : { settles, release: 2 },
      });
      onProgress(stage.kills);
    },
  );
  return judgeStage(stage, stage.kills);
};
