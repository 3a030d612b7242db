import { basename } from "node:path";
import type { Service } from "@tooling/test/services";
import { addCounts, type Counts, isSound, judgeRun, noCounts } from "../judge.ts";
import type { LogLine } from "../log.ts";
import type { CuttingProxy } from "../proxy.ts";
import { createRandom, type Random } from "../random.ts";
import type { Engine } from "../restate-engine.ts";
import type { Place } from "../spec.ts";
import type { Stage } from "../stage.ts";
import { idempotentItems } from "../worker/script.ts";

/** A row of the table whose servers run. */
export interface OpenedRow {
  readonly place: Place;
  /** Undefined: the row has no server. */
  readonly server?: Service | undefined;
  /** Between the workers and the server. */
  readonly proxy?: CuttingProxy | undefined;
  /** Undefined: the workers start the runs. */
  readonly engine?: Engine | undefined;
}

export interface ScenarioContext {
  readonly row: OpenedRow;
  readonly seed: number;
  /** How often the scenario disturbs, at least. */
  readonly times: number;
  /** Called with the number of disturbances so far. */
  readonly onProgress: (done: number) => void;
}

export interface ScenarioResult {
  readonly runs: number;
  /** How often the scenario did what its name says. */
  readonly times: number;
  /** Workers that were ended by SIGKILL. */
  readonly kills: number;
  readonly counts: Counts;
  /** How many workers rejected, by the kind of the `JournalError`. */
  readonly rejected: Readonly<Record<string, number>>;
  /** The first runs that have a fault, with their logs. */
  readonly faulty: readonly FaultyRun[];
  /** The errors of workers that ended by themselves. */
  readonly crashes: readonly string[];
}
export interface FaultyRun {
  readonly run: string;
  readonly counts: Counts;
  readonly lines: readonly LogLine[];
}

/** Disturbs runs in one way. Undefined: the row has nothing that could be disturbed so. */
export type Scenario = (context: ScenarioContext) => Promise<ScenarioResult | undefined>;

/** How many runs go on side by side. */
export const lanes = 4;

/** Works on one run. Resolves with how often runs of the stage were disturbed so far. */
type Work = (run: string, random: Random) => Promise<number>;

/** If so many runs for each disturbance are not disturbed, the scenario does not do what it says. */
const mostRunsPerDisturbance = 20;

/**
 * Works on runs, by default side by side, until they were disturbed often enough. Counts then.
 * Throws if nearly no run can be disturbed.
 */
export async function disturbRuns(
  { row, seed, times, onProgress }: ScenarioContext,
  stage: Stage,
  work: Work,
  most = lanes,
): Promise<ScenarioResult> {
  const name = basename(stage.place.folder);
  let done = 0;
  let number = 0;
  const lane = async (): Promise<void> => {
    while (done < times) {
      const run = `${name}-${++number}`;
      if (number > mostRunsPerDisturbance * times)
        throw new Error(`The scenario "${name}" disturbed ${done} of ${number - 1} runs.`);
      done = await work(run, createRandom(seed, `${row.place.row}/${run}`));
      onProgress(done);
    }
  };
  await Promise.all(Array.from({ length: Math.min(most, times) }, lane));
  return judgeStage(stage, done);
}

const mostFaultyRuns = 3;

/** Counts what happened to all runs of the stage, and closes it. */
export function judgeStage(stage: Stage, times: number): ScenarioResult {
  stage.witness.close();
  const runs = [...stage.runs()].map(([run, lines]) => ({
    run,
    lines,
    counts: judgeRun(lines, idempotentItems),
  }));
  const lines = runs.flatMap((run) => run.lines);
  const kinds = lines.flatMap((line) => (line.event === "rejected" ? [line.kind] : []));
  return {
    runs: runs.length,
    times,
    kills: stage.kills,
    counts: runs.map(({ counts }) => counts).reduce(addCounts, noCounts),
    rejected: Object.fromEntries(
      [...Map.groupBy(kinds, (kind) => kind)].map(([kind, all]) => [kind, all.length]),
    ),
    crashes: stage.crashes,
    faulty: runs.filter(({ counts }) => !isSound(counts)).slice(0, mostFaultyRuns),
  };
}
