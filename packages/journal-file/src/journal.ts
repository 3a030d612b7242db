import { resolve } from "node:path";
import {
  type Journal,
  JournalError,
  type JournalStep,
  type RunLease,
} from "@fullstop/loop/journal";
import { type JournalFile, openFile } from "./open-file.ts";

/**
 * A journal in a file, with one JSON object on each line. The folder must exist. The file is opened
 * and locked when a run begins, and given back when no run of this journal is open. A step counts
 * when it would survive a crash of the machine. `open` rejects with a `JournalError`: `in-use` if
 * another process writes to the file, if the file has another name (a hard link), or if the run is
 * open; `damaged` if it is not a journal; `unavailable` if it cannot be opened or read.
 */
export function fileJournal(path: string): Journal {
  if (typeof path !== "string" || path === "")
    throw new TypeError(
      '`fileJournal` needs the path of a file, such as `fileJournal("run.jsonl")`.',
    );
  const place = resolve(path);
  const shared = shareFile(() => openFile(place));
  const openRuns = new Set<string>();
  return {
    open: async (runId, signal) => {
      signal?.throwIfAborted();
      if (openRuns.has(runId))
        throw new JournalError(
          "in-use",
          `The run "${runId}" is already open in ${place}. Wait until it has ended, or give each run its own \`journal.runId\`.`,
        );
      openRuns.add(runId);
      try {
        const file = await shared.acquire();
        return createLease(file, runId, async () => {
          try {
            await shared.release();
          } finally {
            openRuns.delete(runId);
          }
        });
      } catch (thrown) {
        openRuns.delete(runId);
        throw thrown;
      }
    },
  };
}

function createLease(file: JournalFile, runId: string, give: () => Promise<void>): RunLease {
  let closing: Promise<void> | undefined;
  const assertOpen = (): void => {
    if (closing !== undefined)
      throw new TypeError(`The lease of the run "${runId}" was given back.`);
  };
  return {
    lost: file.lost,
    read: async (key) => {
      assertOpen();
      return await file.read(runId, key);
    },
    begin: async (step: JournalStep) => {
      assertOpen();
      await file.begin({ ...step, run: runId });
    },
    end: async (step: JournalStep, json: string) => {
      assertOpen();
      await file.end({ ...step, run: runId }, json);
    },
    close: () => {
      closing ??= file.flushed().finally(give);
      return closing;
    },
  };
}

function shareFile(open: () => Promise<JournalFile>) {
  let users = 0;
  let opened: Promise<JournalFile> | undefined;
  /** Settles when the file that was used before is closed. */
  let closed: Promise<unknown> = Promise.resolve();
  return {
    /** Opens the file for the first user. Each `acquire` that resolves needs one `release`. */
    acquire: async (): Promise<JournalFile> => {
      opened ??= closed.then(open, open);
      const mine = opened;
      users++;
      try {
        return await mine;
      } catch (thrown) {
        users--;
        if (opened === mine) opened = undefined;
        throw thrown;
      }
    },
    release: async (): Promise<void> => {
      if (--users > 0) return;
      const closing = opened?.then((file) => file.close());
      opened = undefined;
      closed = closing ?? closed;
      await closing;
    },
  };
}
