import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { appendLine, type LogLine, readLog, readLogs } from "./log.ts";
import { type ProgramName, startWorker, type WorkerProcess } from "./processes.ts";
import type { Engine } from "./restate-engine.ts";
import type { Disturbance, Place, WorkerSpec } from "./spec.ts";
import { startWitness, type Witness } from "./witness.ts";

/** The place of one scenario, with a witness and a log of its own. */
export interface Stage {
  readonly place: Place;
  /** The folder of the logs. */
  readonly log: string;
  readonly witness: Witness;
  /** Undefined: the workers start the runs. */
  readonly engine: Engine | undefined;
  /** How many workers were ended by SIGKILL. */
  kills: number;
  /** Workers that ended by an error of their own. A supervisor starts them again. */
  readonly crashes: string[];
  linesOf(run: string): readonly LogLine[];
  runs(): ReadonlyMap<string, readonly LogLine[]>;
}

interface StageRow {
  readonly place: Place;
  readonly engine?: Engine | undefined;
}
export function openStage({ place, engine }: StageRow, name: string): Stage {
  const folder = join(place.folder, name);
  const log = join(folder, "log");
  mkdirSync(log, { recursive: true });
  return {
    place: { ...place, folder },
    log,
    witness: startWitness(log),
    engine,
    kills: 0,
    crashes: [],
    linesOf: (run) => readLog(log, run),
    runs: () => readLogs(log),
  };
}

/** What differs between the attempts of a run. */
export interface Attempt {
  readonly run: string;
  readonly number: number | string;
  readonly disturbance?: Disturbance | undefined;
  readonly release?: 1 | 2;
  readonly settles?: boolean;
  readonly slowMs?: number;
  /** No file of the worker may have more blocks of 512 bytes. */
  readonly fileBlocks?: number;
}

const programOf: Partial<Readonly<Record<Place["row"], ProgramName>>> = {
  restate: "restate.ts",
  dbos: "dbos.ts",
};

/** Starts a worker whose requests to the witness are complete when `ended` resolves. */
export async function startWitnessed(
  stage: Stage,
  start: (witness: string) => WorkerProcess,
): Promise<WorkerProcess> {
  const door = await stage.witness.openDoor();
  const worker = start(door.url);
  const ended = worker.ended.then(async (end) => {
    await door.close();
    if (end.signal === "SIGKILL") stage.kills++;
    return end;
  });
  return { ...worker, ended };
}

export async function startAttempt(stage: Stage, attempt: Attempt): Promise<WorkerProcess> {
  const { run, number, disturbance, release = 1, settles = false, slowMs = 150 } = attempt;
  const worker = await startWitnessed(stage, (witness) => {
    const spec: WorkerSpec = {
      place: { ...stage.place, service: stage.engine?.serviceOf(run) },
      worker: `${run}#${number}`,
      run,
      log: stage.log,
      witness,
      slowMs,
      release,
      settles,
      disturbance,
    };
    return startWorker(programOf[stage.place.row] ?? "main.ts", spec, attempt.fileBlocks);
  });
  if (stage.engine !== undefined) await serveRun(stage.engine, stage, { run, worker });
  return worker;
}

/** Leads the engine to the worker, and ends the worker when the engine has the result of the run. */
async function serveRun(
  engine: Engine,
  stage: Stage,
  { run, worker }: { readonly run: string; readonly worker: WorkerProcess },
): Promise<void> {
  const port = await worker.ready;
  if (port === undefined) return;
  await engine.admit(run, port);
  void engine.result(run).then(({ status, text }) => {
    if (!hasEnded(stage, run))
      appendLine(stage.log, { run, worker: "engine", event: "ended", status, text });
    worker.signal("SIGTERM");
  });
}

export const hasEnded = (stage: Stage, run: string): boolean =>
  stage.linesOf(run).some(({ event }) => event === "ended");

/** Attempts after which a run counts as one that never ends. */
const mostAttempts = 25;

/**
 * Starts workers for a run until one of them ends it, as a supervisor does. `prepare` says what
 * happens to each attempt; `disturb` gets the worker when it is ready.
 */
export async function drive(
  stage: Stage,
  run: string,
  { prepare = () => ({}), disturb = () => {} }: DriveOptions = {},
): Promise<void> {
  for (let number = 1; number <= mostAttempts; number++) {
    const worker = await startAttempt(stage, { run, number, ...prepare(number) });
    await worker.ready;
    void disturb(worker, number);
    const { code, errors } = await worker.ended;
    if (code !== null && code !== 0 && code !== 3)
      stage.crashes.push(`"${run}" ended with the exit code ${code}:\n${errors}`);
    if (hasEnded(stage, run)) return;
  }
}
export interface DriveOptions {
  readonly prepare?: (number: number) => Omit<Attempt, "run" | "number">;
  readonly disturb?: (worker: WorkerProcess, number: number) => unknown;
}
