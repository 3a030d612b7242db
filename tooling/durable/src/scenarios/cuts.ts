import type { CuttingProxy } from "../proxy.ts";
import { createRandom } from "../random.ts";
import { drive, openStage } from "../stage.ts";
import { pointsOfRun } from "../worker/script.ts";
import {
  inLanes,
  judgeStage,
  type Scenario,
  type ScenarioContext,
  type ScenarioResult,
} from "./scenario.ts";

/** Cuts all connections to the server at a random operation, or loses the answer to it. */
export const cutConnections: Scenario = (context) => {
  const { proxy } = context.row;
  return proxy === undefined ? undefined : cutEach(context, proxy);
};

async function cutEach(
  { row, seed, times, onProgress }: ScenarioContext,
  proxy: CuttingProxy,
): Promise<ScenarioResult> {
  const stage = openStage(row, "cuts");
  let cuts = 0;
  stage.witness.onCut = (how) => {
    cuts++;
    if (how === "cut") proxy.cut();
    else proxy.loseAnswer();
    onProgress(cuts);
  };
  await inLanes(
    times,
    () => cuts,
    async (number) => {
      const run = `cuts-${number}`;
      const random = createRandom(seed, `${row.place.row}/${run}`);
      const what = random.isLess(0.5) ? "cut" : "lose-answer";
      const point = 1 + random.integer(pointsOfRun);
      await drive(stage, run, {
        prepare: (attempt) => (attempt === 1 ? { disturbance: { what, point } } : {}),
      });
    },
  );
  return judgeStage(stage, cuts);
}
