import { constants } from "node:fs";
import { type FileHandle, open, realpath, stat } from "node:fs/promises";
import { deletedError, JournalError, type RecordedStep } from "@fullstop/loop/journal";
import {
  beginLine,
  type Contents,
  endLine,
  header,
  type RunStep,
  readContents,
  readJson,
  stepId,
} from "./lines.ts";
import { acquireLock } from "./lock.ts";
import { type Log, openLog, syncFolder } from "./log.ts";

export interface JournalFile {
  /** Aborts with a `JournalError` when the file could not be written. Later writes fail too. */
  readonly lost: AbortSignal;
  read(run: string, key: string): Promise<RecordedStep | undefined>;
  begin(step: RunStep): Promise<void>;
  end(step: RunStep, json: string): Promise<void>;
  flushed(): Promise<void>;
  /** Closes the file and releases its lock. */
  close(): Promise<void>;
}

export async function openFile(path: string): Promise<JournalFile> {
  try {
    return await lockAndRead(path);
  } catch (cause) {
    if (cause instanceof JournalError) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new JournalError(
      "unavailable",
      `The journal ${path} cannot be opened: ${reason}. Its folder must exist and be writable.`,
      { cause },
    );
  }
}

async function lockAndRead(path: string): Promise<JournalFile> {
  const file = await open(path, constants.O_RDWR | constants.O_CREAT);
  openHandles.add(file);
  let unlock: (() => Promise<void>) | undefined;
  const give = async (): Promise<void> => {
    openHandles.delete(file);
    await unlock?.();
  };
  try {
    const place = await realpath(path);
    const stats = await file.stat({ bigint: true });
    // To read a pipe or a device may have no end.
    if (!stats.isFile())
      throw new JournalError("unavailable", `${place} is not a file. Give the path of a file.`);
    unlock = await acquireLock(place, stats.ino);
    await assertSingleName(file, place);
    return await readSteps(file, place, give);
  } catch (thrown) {
    await file.close().finally(give);
    throw thrown;
  }
}

/** Node closes a handle that is collected, and from Node 25 on that ends the process. */
const openHandles = new Set<FileHandle>();

/** A lock belongs to a name: a file with several names could have two locks and two writers. */
async function assertSingleName(file: FileHandle, place: string): Promise<void> {
  const { ino, nlink } = await file.stat({ bigint: true });
  if (nlink > 1n)
    throw new JournalError(
      "in-use",
      `${place} has ${nlink} names (hard links), so another run may write to it under another name. Remove the other names, or open a copy.`,
    );
  const { ino: found } = await stat(place, { bigint: true });
  if (ino !== found)
    throw new JournalError(
      "unavailable",
      `${place} was replaced by another file while it was opened. Open it again.`,
    );
}

/** Rejects if the next start would not find what is written to the file. */
async function assertInPlace(file: FileHandle, place: string): Promise<void> {
  const mine = await file.stat({ bigint: true });
  const found = await stat(place, { bigint: true }).catch((thrown: NodeJS.ErrnoException) => {
    if (thrown.code !== "ENOENT" && thrown.code !== "ENOTDIR") throw thrown;
  });
  if (found?.ino === mine.ino && found.dev === mine.dev) return;
  throw deletedError(`The journal ${place} was deleted, renamed or replaced`);
}

async function readSteps(
  file: FileHandle,
  path: string,
  give: () => Promise<void>,
): Promise<JournalFile> {
  const known = readContents(await file.readFile(), path);
  const log = await openLog(file, known.length, () => assertInPlace(file, path));
  if (known.length === 0) {
    await log.append(header);
    await syncFolder(path);
  }
  return { ...stepsOf(log, known, path), close: () => log.close().finally(give) };
}

function stepsOf(log: Log, { steps }: Contents, path: string): Omit<JournalFile, "close"> {
  const lost = new AbortController();
  const append = async (line: string): Promise<number> => {
    try {
      return await log.append(`${line}\n`);
    } catch (cause) {
      lost.abort(
        cause instanceof JournalError
          ? cause
          : new JournalError("unavailable", unwritable(path, cause), { cause }),
      );
      throw lost.signal.reason;
    }
  };
  return {
    lost: lost.signal,
    read: async (run, key) => {
      const found = steps.get(stepId({ run, key })) ?? steps.get(stepId({ key }));
      if (found === undefined || found === "begun") return found && { state: "begun" };
      return { state: "ended", json: readJson(await log.read(found.at, found.length)) };
    },
    begin: async (step) => {
      await append(beginLine(step));
      const id = stepId(step);
      if (!steps.has(id)) steps.set(id, "begun");
    },
    end: async (step, json) => {
      const line = endLine(step, json);
      const at = await append(line);
      steps.set(stepId(step), { at, length: Buffer.byteLength(line) });
    },
    flushed: log.flushed,
  };
}

const unwritable = (path: string, cause: unknown): string =>
  `The journal ${path} could not be written: ${cause instanceof Error ? cause.message : String(cause)}. Correct the cause and start the run again: what was recorded counts.`;
