import { constants } from "node:fs";
import { type FileHandle, open, realpath, stat } from "node:fs/promises";
import type { BeginStep, Journal, JournalStep } from "@fullstop/loop";
import { type Contents, header, type Line, readContents } from "./lines.ts";
import { acquireLock } from "./lock.ts";
import { type Log, openLog, syncFolder } from "./log.ts";

/** A journal that keeps its steps in a file, with one JSON object on each line. */
export interface FileJournal extends Journal {
  /** Waits for pending writes and releases the lock. Later steps reject. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Opens or creates the journal of a run; the folder must exist. A step counts when it would survive
 * a crash of the machine. A journal that is not closed keeps its file open and its lock until the
 * process ends.
 * @throws Error if another process writes to it, if the file has another name (a hard link), or if
 * it is not a journal.
 */
export async function fileJournal(path: string): Promise<FileJournal> {
  const file = await open(path, constants.O_RDWR | constants.O_CREAT);
  openHandles.add(file);
  let unlock: (() => Promise<void>) | undefined;
  const give = async (): Promise<void> => {
    openHandles.delete(file);
    await unlock?.();
  };
  try {
    const place = await realpath(path);
    const { ino } = await file.stat({ bigint: true });
    unlock = await acquireLock(place, ino);
    await assertSingleName(file, place);
    return createJournal(await readMemory(file, place), give);
  } catch (thrown) {
    await file.close().finally(give);
    throw thrown;
  }
}

/**
 * Open handles. Node closes a handle that is garbage-collected; from Node 25 on, that is an
 * uncaught error and ends the process.
 */
const openHandles = new Set<FileHandle>();

/**
 * Rejects a file with several names. A lock belongs to a name, so such a file could have two locks
 * and two writers.
 */
async function assertSingleName(file: FileHandle, place: string): Promise<void> {
  const { ino, nlink } = await file.stat({ bigint: true });
  if (nlink > 1n)
    throw new Error(
      `${place} has ${nlink} names (hard links), so another run may write to it under another name. Remove the other names, or open a copy.`,
    );
  const { ino: found } = await stat(place, { bigint: true });
  if (ino !== found)
    throw new Error(`${place} was replaced by another file while it was opened. Open it again.`);
}

interface Memory {
  readonly log: Log;
  readonly known: Contents;
  /** Keys of the running steps. */
  readonly running: Set<string>;
}

async function readMemory(file: FileHandle, path: string): Promise<Memory> {
  const known = readContents(await file.readFile(), path);
  const log = await openLog(file, known.length);
  if (known.length === 0) {
    await log.append(header);
    await syncFolder(path);
  }
  return { log, known, running: new Set() };
}

function createJournal(memory: Memory, give: () => Promise<void>): FileJournal {
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closing ??= memory.log.close().finally(give);
    return closing;
  };
  const step: Journal["step"] = async (step, run, inDoubt) => {
    const { running } = memory;
    if (running.has(step.key))
      throw new Error(
        `Step ${step.key} is already running: give each run its own \`journal.runId\`.`,
      );
    running.add(step.key);
    return runStep(memory, step, { run, inDoubt }).finally(() => running.delete(step.key));
  };
  return { step, close, [Symbol.asyncDispose]: close };
}

interface StepWork<T> {
  readonly run: (begin: BeginStep) => Promise<T>;
  readonly inDoubt: () => T;
}
async function runStep<T>(
  { log, known }: Memory,
  { key, kind }: JournalStep,
  { run, inDoubt }: StepWork<T>,
): Promise<T> {
  log.assertOpen();
  const place = known.ended.get(key);
  if (place !== undefined)
    return (JSON.parse(await log.read(place.at, place.length)) as { readonly value: T }).value;
  if (known.begun.has(key)) return inDoubt();
  const add = async (line: Line): Promise<{ readonly at: number; readonly length: number }> => {
    const text = JSON.stringify(line);
    return { at: await log.append(`${text}\n`), length: Buffer.byteLength(text) };
  };
  const value = await run(async () => {
    known.begun.add(key);
    await add({ key, kind, begun: true });
  });
  if (value === undefined)
    throw new TypeError(`Step ${key} returned a value that JSON cannot represent.`);
  known.ended.set(key, await add({ key, kind, value }));
  return value;
}
