import { resolve } from "node:path";
import { checkOptions, type OptionKinds, positiveInteger } from "@fullstop/core/adapter";
import type { LeaseOptions, StoredJournal } from "@fullstop/loop/journal";
import { createConnection } from "./connection.ts";
import { hasEnded, thisHolder } from "./holder.ts";
import { storedJournal } from "./stored-journal.ts";

/** Options of `sqliteJournal`. */
export interface SqliteJournalOptions extends LeaseOptions {
  /**
   * Milliseconds after which another process may take the run of a process that does not answer.
   * Default: 30,000. A living process renews its lease, however long its run takes. The run of a
   * process that has ended is free at once, if both run in the same system or container.
   */
  readonly leaseMs?: number | undefined;
  /**
   * The largest result of a step, in bytes of UTF-8. Default: 16 MiB, more than the largest context
   * window holds. SQLite itself takes at most 1 GB. While a step is written, the process can do
   * nothing else.
   */
  readonly maxStepBytes?: number | undefined;
}

/** A journal in a SQLite file. */
export interface SqliteJournal extends StoredJournal, AsyncDisposable {
  /** Waits for pending writes and closes the file. Runs that go on reject. */
  close(): Promise<void>;
}

const optionKinds: OptionKinds<SqliteJournalOptions> = {
  leaseMs: positiveInteger,
  maxStepBytes: positiveInteger,
};
const defaultMaxStepBytes = 16 * 1024 * 1024;

/**
 * A journal in a SQLite file, for any number of processes of one machine; each run has one writer.
 * The file is created at the first use if it does not exist; its folder must exist, on a local disk.
 * The journal rejects with a `JournalError`: `damaged` for a file that is not a journal, which stays
 * as it is, and `unavailable` for one that cannot be opened, read or written.
 */
export function sqliteJournal(path: string, options: SqliteJournalOptions = {}): SqliteJournal {
  checkOptions(options, optionKinds, { of: "sqliteJournal" });
  if (!/^[^:]/.test(path ?? ""))
    throw new TypeError(
      `\`path\` is ${JSON.stringify(path)}. Give the path of a file: a database in memory ends with its process.`,
    );
  const { leaseMs, maxStepBytes = defaultMaxStepBytes } = options;
  const connection = createConnection(resolve(path));
  return {
    ...storedJournal(connection, { leaseMs, maxStepBytes, thisHolder, hasEnded }),
    close: connection.close,
    [Symbol.asyncDispose]: connection.close,
  };
}
