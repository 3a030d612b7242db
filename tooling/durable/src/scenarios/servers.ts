import { setTimeout as sleep } from "node:timers/promises";
import type { Service } from "@tooling/test/services";
import { createRandom } from "../random.ts";
import { drive, openStage } from "../stage.ts";
import { planKills } from "./kills.ts";
import {
  judgeStage,
  lanes,
  type Scenario,
  type ScenarioContext,
  type ScenarioResult,
} from "./scenario.ts";

/** Kills the server while runs go on, and starts it again. In every other round workers die too. */
export const killServer: Scenario = (context) => {
  const { server } = context.row;
  return server === undefined ? undefined : killInRounds(context, server);
};

const longestUptimeMs = 800;
const longestPauseMs = 500;
/** The server dies while the slow effect goes on, in many of the rounds. */
const slowMs = 500;

async function killInRounds(
  { row, seed, times, onProgress }: ScenarioContext,
  server: Service,
): Promise<ScenarioResult> {
  const stage = openStage(row, "servers");
  for (let round = 1; round <= times; round++) {
    const random = createRandom(seed, `${row.place.row}/servers-${round}`);
    const driven = Array.from({ length: lanes - 1 }, (_, lane) => {
      const { prepare, disturb } = planKills(random);
      return drive(stage, `servers-${round}-${lane}`, {
        prepare: (number) => ({ ...(round % 2 === 0 && prepare?.(number)), slowMs }),
        ...(round % 2 === 0 && disturb !== undefined && { disturb }),
      });
    });
    await sleep(300 + random.integer(longestUptimeMs));
    await server.kill();
    await sleep(random.integer(longestPauseMs));
    await server.restart();
    await Promise.all(driven);
    onProgress(round);
  }
  return judgeStage(stage, times);
}
