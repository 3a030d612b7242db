import { constants } from "node:fs";
import { type FileHandle, open, realpath } from "node:fs/promises";
import { resolve } from "node:path";
import type { Begin, Journal, Step } from "@fullstop/loop";
import { type Contents, header, type Line, readContents } from "./lines.ts";
import { lock } from "./lock.ts";
import { type Log, openLog, syncFolder } from "./log.ts";

/** A journal that keeps its steps in a file, one JSON object a line. */
export interface FileJournal extends Journal {
  /** Waits for what is being written, and lets others write. Steps after it reject. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Opens the journal of a run, or makes it; the folder must be there. A step counts once it would survive a crash of the machine.
 * @throws Error where another process writes to it, or the file is no journal.
 */
export async function fileJournal(path: string): Promise<FileJournal> {
  const place = await placeOf(path);
  const unlock = await lock(place);
  try {
    const file = await open(place, constants.O_RDWR | constants.O_CREAT);
    const journal = await recall(file, place).catch(async (thrown: unknown) => {
      await file.close();
      throw thrown;
    });
    return closable(journal, unlock);
  } catch (thrown) {
    await unlock();
    throw thrown;
  }
}

/** One file has one lock, whatever link leads to it, and wherever the process goes. */
const placeOf = async (path: string): Promise<string> => realpath(path).catch(() => resolve(path));

interface Memory {
  readonly log: Log;
  readonly known: Contents;
  /** Keys of steps that run now. */
  readonly running: Set<string>;
}

async function recall(file: FileHandle, path: string): Promise<Memory> {
  const known = readContents(await file.readFile(), path);
  const log = await openLog(file, known.length);
  if (known.length === 0) {
    await log.append(header);
    await syncFolder(path);
  }
  return { log, known, running: new Set() };
}

function closable(memory: Memory, unlock: () => Promise<void>): FileJournal {
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closing ??= memory.log.close().finally(unlock);
    return closing;
  };
  const step: Journal["step"] = async (step, run, inDoubt) => {
    const { running } = memory;
    if (running.has(step.key)) throw new Error(`Step ${step.key} is under way already: two runs have one id.`);
    running.add(step.key);
    return remember(memory, step, { run, inDoubt }).finally(() => running.delete(step.key));
  };
  return { step, close, [Symbol.asyncDispose]: close };
}

interface Work<T> {
  readonly run: (begin: Begin) => Promise<T>;
  readonly inDoubt: () => T;
}
async function remember<T>({ log, known }: Memory, { key, kind }: Step, { run, inDoubt }: Work<T>): Promise<T> {
  log.assertOpen();
  const place = known.ended.get(key);
  if (place !== undefined) return (JSON.parse(await log.read(place.at, place.length)) as { readonly value: T }).value;
  if (known.begun.has(key)) return inDoubt();
  const add = async (line: Line): Promise<{ readonly at: number; readonly length: number }> => {
    const text = JSON.stringify(line);
    return { at: await log.append(`${text}\n`), length: Buffer.byteLength(text) };
  };
  const value = await run(async () => {
    known.begun.add(key);
    await add({ key, kind, begun: true });
  });
  if (value === undefined) throw new TypeError(`Step ${key} gave nothing that JSON can hold.`);
  known.ended.set(key, await add({ key, kind, value }));
  return value;
}
