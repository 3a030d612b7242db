import { drive, openStage } from "../stage.ts";
import { pointsOfRun } from "../worker/script.ts";
import { disturbRuns, type Scenario } from "./scenario.ts";

/** Cuts all connections to the server at a random operation, or loses the answer to it. */
export const cutConnections: Scenario = async (context) => {
  const { proxy } = context.row;
  if (proxy === undefined) return undefined;
  const stage = openStage(context.row, "cuts");
  let cuts = 0;
  stage.witness.onCut = (how) => {
    cuts++;
    if (how === "cut") proxy.cut();
    else proxy.loseAnswer();
  };
  return disturbRuns(context, stage, async (run, random) => {
    const what = random.isLess(0.5) ? "cut" : "lose-answer";
    const point = 1 + random.integer(pointsOfRun);
    await drive(stage, run, {
      prepare: (attempt) => (attempt === 1 ? { disturbance: { what, point } } : {}),
    });
    return cuts;
  });
};
