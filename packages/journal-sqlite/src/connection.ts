import type { DatabaseSync } from "node:sqlite";
import { JournalError } from "@fullstop/loop/journal";
import { rememberPlace } from "./file-place.ts";
import { findLaterVersion } from "./migrations.ts";
import { openDatabase } from "./open-database.ts";
import { retryWhileBusy } from "./retry-while-busy.ts";
import { explainError } from "./sqlite-error.ts";
import { prepareStatements, type Statements } from "./statements.ts";
import { createWriteQueue, type WriteQueue } from "./write-queue.ts";

export interface Connection {
  read<T>(work: (statements: Statements) => T): Promise<T>;
  /** Resolves when the change is on disk. */
  write<T>(work: (statements: Statements) => T): Promise<T>;
  /** Waits for pending writes, and closes the file. Later work rejects. */
  close(): Promise<void>;
}

interface Opened {
  readonly database: DatabaseSync;
  readonly statements: Statements;
  readonly queue: WriteQueue;
  /** Why the file is not in its place any more. */
  readonly findLoss: () => JournalError | undefined;
}

/** They are never closed: SQLite would delete the log of the file that took their place. */
const removed = new Set<DatabaseSync>();

export function createConnection(path: string): Connection {
  let opened: Promise<Opened> | undefined;
  let closing: Promise<void> | undefined;
  const connect = (): Promise<Opened> => {
    if (closing !== undefined) throw new TypeError(`The journal ${path} is closed.`);
    opened ??= open(path).catch((thrown: unknown) => {
      opened = undefined;
      throw thrown;
    });
    return opened;
  };
  const use = async <T>(work: (opened: Opened) => Promise<T>): Promise<T> => {
    const connecting = connect();
    try {
      return await work(await connecting);
    } catch (thrown) {
      if (thrown instanceof JournalError && thrown.kind === "deleted" && opened === connecting)
        opened = undefined;
      throw explainError(thrown, path);
    }
  };
  const close = async (): Promise<void> => {
    const last = await opened?.catch(() => undefined);
    await last?.queue.flushed();
    if (last?.findLoss() === undefined) last?.database.close();
  };
  return {
    read: (work) => use(({ statements }) => retryWhileBusy(() => work(statements))),
    write: (work) => use(({ statements, queue }) => queue.write(() => work(statements))),
    close: () => {
      closing ??= close();
      return closing;
    },
  };
}

async function open(path: string): Promise<Opened> {
  const database = await openDatabase(path);
  const findProblem = rememberPlace(path);
  const findLoss = (): JournalError | undefined => {
    const problem = findProblem();
    if (problem !== undefined) removed.add(database);
    return problem;
  };
  try {
    const statements = prepareStatements(database);
    return { database, statements, queue: createWriteQueue(database, findLoss), findLoss };
  } catch (thrown) {
    const problem = findLaterVersion(database, path);
    database.close();
    throw problem ?? thrown;
  }
}
