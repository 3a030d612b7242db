import { setTimeout as sleep } from "node:timers/promises";
import type { Random } from "../random.ts";
import { drive, openStage } from "../stage.ts";
import { planKills } from "./kills.ts";
import { disturbRuns, lanes, type Scenario } from "./scenario.ts";

const longestUptimeMs = 800;
const longestPauseMs = 500;
/** The server dies while the slow effect goes on, in many of the rounds. */
const slowMs = 500;

/** Kills the server while runs go on, and starts it again. In every other round workers die too. */
export const killServer: Scenario = async (context) => {
  const { server } = context.row;
  if (server === undefined) return undefined;
  const stage = openStage(context.row, "servers");
  let rounds = 0;
  const work = async (run: string, random: Random): Promise<number> => {
    const withKills = ++rounds % 2 === 0;
    const driven = Array.from({ length: lanes - 1 }, (_, lane) => {
      const { prepare, disturb } = planKills(random);
      return drive(stage, `${run}-${lane}`, {
        prepare: (number) => ({ ...(withKills && prepare?.(number)), slowMs }),
        ...(withKills && disturb !== undefined && { disturb }),
      });
    });
    await sleep(300 + random.integer(longestUptimeMs));
    await server.kill();
    await sleep(random.integer(longestPauseMs));
    await server.restart();
    await Promise.all(driven);
    return rounds;
  };
  return disturbRuns(context, stage, work, 1);
};
