import { setTimeout as sleep } from "node:timers/promises";
import { type EndBlock, type Harm, harmOf, writesFiles } from "../harm.ts";
import { appendLine } from "../log.ts";
import type { WorkerProcess } from "../processes.ts";
import type { Random } from "../random.ts";
import { type Attempt, drive, openStage, type Stage } from "../stage.ts";
import { openJournal } from "../worker/journals.ts";
import { pointsOfRun } from "../worker/script.ts";
import {
  disturbRuns,
  type Scenario,
  type ScenarioContext,
  type ScenarioResult,
} from "./scenario.ts";

/** Locks the table of the steps at a random operation, until the run has ended by itself. */
export const lockTables: Scenario = async (context) => {
  const { lock } = harmOf(context.row.place);
  return lock && blockEach(context, openStage(context.row, "locks"), lock);
};

/** Leaves no space for steps, from a random operation or size on, until the run has ended by itself. */
export const fillDisks: Scenario = async (context) => {
  const { fill } = harmOf(context.row.place);
  if (fill === undefined && !writesFiles(context.row.place)) return undefined;
  const stage = openStage(context.row, "full");
  return fill === undefined ? limitEach(context, stage) : blockEach(context, stage, fill);
};

/** A run has this time to end while nothing can be recorded: far more than its lease of a second. */
const longestMs = 30_000;

function blockEach(
  context: ScenarioContext,
  stage: Stage,
  block: NonNullable<Harm["lock"]>,
): Promise<ScenarioResult> {
  let blocks = 0;
  let isBlocked = false;
  let endBlock: EndBlock = () => {};
  stage.witness.onCut = async () => {
    endBlock = await block(stage.place);
    isBlocked = true;
    blocks++;
  };
  const work = async (run: string, random: Random): Promise<number> => {
    // Not the last operations: steps follow that cannot be recorded.
    const point = 2 + random.integer(pointsOfRun - 6);
    await drive(stage, run, {
      prepare: (attempt) => (attempt === 1 ? { disturbance: { what: "block", point } } : {}),
      disturb: async (worker, attempt) => {
        if (attempt > 1) return;
        await untilRejected(stage, run, worker, () => isBlocked);
        if (isBlocked) await endBlock();
        isBlocked = false;
      },
    });
    return blocks;
  };
  return disturbRuns(context, stage, work, 1);
}

/** Waits until the run has rejected, or its worker has ended. A run that does neither is killed. */
export async function untilRejected(
  stage: Stage,
  run: string,
  worker: WorkerProcess,
  isBlocked: () => boolean,
): Promise<void> {
  let since = performance.now();
  while (!worker.hasEnded()) {
    if (!isBlocked()) since = performance.now();
    else if (stage.linesOf(run).some(({ event }) => event === "rejected")) return;
    if (performance.now() - since > longestMs) return hang(stage, run, worker);
    await sleep(20);
  }
}

function hang(stage: Stage, run: string, worker: WorkerProcess): void {
  appendLine(stage.log, { run, worker: "command", event: "hung" });
  worker.signal("SIGKILL");
}

/** The file of a run is larger than the log of its worker, which has the same limit. */
const ballastBytes = 64 * 1024;
const blockBytes = 512;
/** What a run adds to the files of its journal, in blocks. */
const growth: Readonly<Record<string, number>> = { file: 6, sqlite: 150 };

function limitEach(context: ScenarioContext, stage: Stage): Promise<ScenarioResult> {
  let refusals = 0;
  const work = async (run: string, random: Random): Promise<number> => {
    await addBallast(stage, run);
    const fileBlocks = limitFor(stage, random);
    await drive(stage, run, {
      prepare: (attempt): Omit<Attempt, "run" | "number"> => (attempt === 1 ? { fileBlocks } : {}),
      disturb: (worker, attempt) => attempt === 1 && untilRejected(stage, run, worker, () => true),
    });
    // A run that needed less space than it had shows nothing.
    if (stage.linesOf(run).some(({ event }) => event === "rejected")) refusals++;
    return refusals;
  };
  return disturbRuns(context, stage, work, 1);
}

const limitFor = ({ place }: Stage, random: Random): number =>
  Math.ceil(ballastBytes / blockBytes) + 1 + random.integer(growth[place.row] ?? 1);

async function addBallast({ place }: Stage, run: string): Promise<void> {
  const { journal, close } = await openJournal(place);
  const lease = await journal.open(run);
  await lease.end({ key: "ballast", kind: "model" }, JSON.stringify("x".repeat(ballastBytes)));
  await lease.close();
  await close();
}
