import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Counts } from "./judge.ts";
import { startWorker, type WorkerProcess } from "./processes.ts";
import { createRandom } from "./random.ts";
import { cores } from "./results.ts";
import { type StartedRow, withRow } from "./rows.ts";
import { judgeStage } from "./scenarios/scenario.ts";
import type { QueueSpec, RowName } from "./spec.ts";
import { openStage, type Stage, startWitnessed } from "./stage.ts";
import { stepsOfRun } from "./worker/script.ts";

export interface LoadResult {
  readonly row: RowName;
  readonly runs: number;
  /** Model replies and calls of all runs. */
  readonly steps: number;
  readonly kills: number;
  readonly counts: Counts;
  readonly seconds: number;
  /** CPU time of all workers, with their starts. */
  readonly cpuSeconds: number;
  readonly cores: number;
  readonly version: string;
  readonly seed: number;
  readonly date: string;
}

const runs = 1000;
const workers = 4;
const killEveryMs = 2000;
/** A load that takes longer than this has runs that never end. */
const longestLoadMs = 10 * 60_000;

/** 1,000 runs in a folder, and four processes that take them from it while they are killed. */
export function measureLoad(
  row: RowName,
  seed: number,
): Promise<LoadResult | { readonly skipped: string }> {
  return withRow(row, "load", (started) => loadRow(started, row, seed));
}

async function loadRow(started: StartedRow, row: RowName, seed: number): Promise<LoadResult> {
  const stage = openStage(started, "load");
  const queue = join(stage.place.folder, "queue");
  mkdirSync(queue);
  for (let number = 1; number <= runs; number++) writeFileSync(join(queue, `load-${number}`), "");
  const before = childCpuSeconds();
  const began = performance.now();
  await work(stage, queue, seed);
  const seconds = (performance.now() - began) / 1000;
  const cpuSeconds = childCpuSeconds() - before;
  const { counts } = judgeStage(stage, stage.kills);
  return {
    row,
    runs,
    steps: runs * stepsOfRun,
    kills: stage.kills,
    // A run that no worker opened has no lines.
    counts: { ...counts, unended: runs - stage.runs().size + counts.unended },
    seconds,
    cpuSeconds,
    cores: cores(),
    version: started.version,
    seed,
    date: new Date().toISOString().slice(0, 10),
  };
}

/** Keeps four workers alive, and kills one every two seconds, until the folder is empty. */
async function work(stage: Stage, queue: string, seed: number): Promise<void> {
  const random = createRandom(seed, `${stage.place.row}/load`);
  const began = performance.now();
  const living = new Set<WorkerProcess>();
  const left = (): number => readdirSync(queue).length;
  const isOver = (): boolean => left() === 0 || performance.now() > began + longestLoadMs;
  let count = 0;
  const keepOne = async (): Promise<void> => {
    while (!isOver()) {
      const worker = await startQueueWorker(stage, queue, `worker-${++count}`);
      living.add(worker);
      const { code, errors } = await worker.ended;
      living.delete(worker);
      if (code !== null && code !== 0)
        throw new Error(`A worker failed with the exit code ${code}:\n${errors}`);
    }
  };
  const kill = async (): Promise<void> => {
    while (!isOver()) {
      await sleep(killEveryMs);
      [...living][random.integer(living.size)]?.signal("SIGKILL");
      process.stderr.write(`${stage.place.row}: ${left()} runs left, ${stage.kills} killed\n`);
    }
  };
  await Promise.all([...Array.from({ length: workers }, keepOne), kill()]);
}

function startQueueWorker(stage: Stage, queue: string, worker: string): Promise<WorkerProcess> {
  return startWitnessed(stage, (witness) => {
    const { place, log } = stage;
    const how = { slowMs: 50, release: 1, settles: false } as const;
    return startWorker("queue.ts", {
      place,
      worker,
      queue,
      log,
      witness,
      ...how,
    } satisfies QueueSpec);
  });
}

/**
 * CPU time of the processes that this one started and that have ended, also by SIGKILL: `cutime` and
 * `cstime` of proc(5), in the 1/100 s of Linux. Elsewhere it is not known.
 */
function childCpuSeconds(): number {
  if (process.platform !== "linux") return Number.NaN;
  const fields = readFileSync("/proc/self/stat", "utf8")
    .replace(/^.*\) /s, "")
    .split(" ");
  return (Number(fields[13]) + Number(fields[14])) / 100;
}
