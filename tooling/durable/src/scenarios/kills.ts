import { setTimeout as sleep } from "node:timers/promises";
import type { Random } from "../random.ts";
import { type DriveOptions, drive, openStage } from "../stage.ts";
import { pointsOfRun } from "../worker/script.ts";
import { disturbRuns, type Scenario } from "./scenario.ts";

/** Kills each worker at a random time or operation, until a run has had its kills. */
export const killWorkers: Scenario = async (context) => {
  const stage = openStage(context.row, "kills");
  return disturbRuns(context, stage, async (run, random) => {
    await drive(stage, run, planKills(random));
    return stage.kills;
  });
};

const mostKills = 3;
/** A little longer than an undisturbed run takes. */
const longestLifeMs = 400;

/** Up to three kills of one run. Somebody settles the doubts of every other run. */
export function planKills(random: Random): DriveOptions {
  const settles = random.isLess(0.5);
  const kills = Array.from({ length: 1 + random.integer(mostKills) }, (_, index) =>
    random.isLess(0.5)
      ? { afterMs: random.integer(longestLifeMs) }
      : // What is recorded has no points any more.
        { point: 1 + random.integer(Math.ceil(pointsOfRun / (index + 1))) },
  );
  return {
    prepare: (number) => {
      const point = kills[number - 1]?.point;
      return { settles, ...(point !== undefined && { disturbance: { what: "die", point } }) };
    },
    disturb: async (worker, number) => {
      const afterMs = kills[number - 1]?.afterMs;
      if (afterMs === undefined) return;
      await worker.opened;
      await sleep(afterMs);
      worker.signal("SIGKILL");
    },
  };
}
