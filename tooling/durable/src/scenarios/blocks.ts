import { setTimeout as sleep } from "node:timers/promises";
import { type EndBlock, harmOf, writesFiles } from "../harm.ts";
import { appendLine } from "../log.ts";
import type { WorkerProcess } from "../processes.ts";
import { createRandom, type Random } from "../random.ts";
import { type Attempt, drive, openStage, type Stage } from "../stage.ts";
import { openJournal } from "../worker/journals.ts";
import { pointsOfRun } from "../worker/script.ts";
import {
  judgeStage,
  type Scenario,
  type ScenarioContext,
  type ScenarioResult,
} from "./scenario.ts";

type Block = (stage: Stage) => EndBlock | Promise<EndBlock>;

/** Locks the table of the steps at a random operation, until the run has ended by itself. */
export const lockTables: Scenario = (context) => {
  const { lock } = harmOf(context.row.place);
  return lock === undefined ? undefined : blockEach(context, "locks", ({ place }) => lock(place));
};

/** Leaves no space for steps, from a random operation or size on, until the run has ended by itself. */
export const fillDisks: Scenario = (context) => {
  const { fill } = harmOf(context.row.place);
  if (fill !== undefined) return blockEach(context, "full", ({ place }) => fill(place));
  return writesFiles(context.row.place) ? limitEach(context) : undefined;
};

/** A run has this time to end while nothing can be recorded: far more than its lease of a second. */
const longestMs = 30_000;

async function blockEach(
  { row, seed, times, onProgress }: ScenarioContext,
  name: string,
  block: Block,
): Promise<ScenarioResult> {
  const stage = openStage(row, name);
  let blocks = 0;
  let isBlocked = false;
  let endBlock: EndBlock = () => {};
  stage.witness.onCut = async () => {
    endBlock = await block(stage);
    isBlocked = true;
    onProgress(++blocks);
  };
  for (let number = 1; blocks < times; number++) {
    const run = `${name}-${number}`;
    const random = createRandom(seed, `${row.place.row}/${run}`);
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
  }
  return judgeStage(stage, blocks);
}

/** Waits until the run has rejected, or its worker has ended. A run that does neither is killed. */
export async function untilRejected(
  stage: Stage,
  run: string,
  worker: WorkerProcess,
  isBlocked: () => boolean,
): Promise<void> {
  let isOver = false;
  void worker.ended.then(() => {
    isOver = true;
  });
  let since = performance.now();
  while (!isOver) {
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
const growth: Readonly<Record<string, number>> = { file: 6, sqlite: 300 };

/** Each run has a folder of its own. */
async function limitEach({
  row,
  seed,
  times,
  onProgress,
}: ScenarioContext): Promise<ScenarioResult> {
  const stage = openStage(row, "full");
  let refusals = 0;
  for (let number = 1; refusals < times; number++) {
    const run = `full-${number}`;
    const random = createRandom(seed, `${row.place.row}/${run}`);
    await addBallast(stage, run);
    const fileBlocks = limitFor(stage, random);
    await drive(stage, run, {
      prepare: (attempt): Omit<Attempt, "run" | "number"> => (attempt === 1 ? { fileBlocks } : {}),
      disturb: (worker, attempt) => attempt === 1 && untilRejected(stage, run, worker, () => true),
    });
    // A run that needed less space than it had shows nothing.
    if (stage.linesOf(run).some(({ event }) => event === "rejected")) onProgress(++refusals);
  }
  return judgeStage(stage, refusals);
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
