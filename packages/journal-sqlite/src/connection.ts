import { type BigIntStats, statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { deletedError, JournalError } from "@fullstop/loop/journal";
import type { Connection } from "./journal-table.ts";
import { findLaterVersion, migrate, readVersion } from "./migrations.ts";
import { retryWhileBusy } from "./retry-while-busy.ts";
import { explainError } from "./sqlite-error.ts";
import { inFile, prepareStatements, type Statements } from "./statements.ts";
import { rollBack } from "./transaction.ts";

interface WriteQueue {
  /**
   * Calls `work` inside a transaction, and resolves with its result when the transaction is on disk.
   * What is asked for at the same time shares a transaction, because each transaction waits for the
   * disk.
   */
  write<T>(work: () => T): Promise<T>;
  flushed(): Promise<void>;
}
interface Write {
  readonly work: () => unknown;
  readonly resolve: (value: unknown) => void;
  readonly reject: (thrown: unknown) => void;
}

/** A transaction blocks the process, so it takes no further write after this time. */
const longestBatchMs = 10;

/** `findLoss`: why what was written does not count. */
function createWriteQueue(database: DatabaseSync, findLoss: () => Error | undefined): WriteQueue {
  const begin = database.prepare("begin immediate");
  const commit = database.prepare("commit");
  const waiting: Write[] = [];
  let flushing: Promise<void> | undefined;

  /** Makes the writes of an open transaction, and returns what resolves them. */
  const commitBatch = (batch: Write[]): readonly (() => void)[] => {
    const since = performance.now();
    const answers: (() => void)[] = [];
    do {
      const next = waiting.shift();
      if (next === undefined) break;
      batch.push(next);
      const value = next.work();
      answers.push(() => next.resolve(value));
    } while (performance.now() - since < longestBatchMs);
    commit.run();
    const loss = findLoss(); // statements may fail in their own way then
    if (loss !== undefined) throw loss;
    return answers;
  };
  const flushSome = async (): Promise<void> => {
    try {
      await retryWhileBusy(() => begin.run());
    } catch (thrown) {
      return rejectAll(waiting.splice(0), findLoss() ?? thrown);
    }
    const batch: Write[] = [];
    try {
      for (const answer of commitBatch(batch)) answer();
    } catch (thrown) {
      rollBack(database);
      rejectAll(batch, findLoss() ?? thrown);
    }
  };
  const flush = async (): Promise<void> => {
    while (waiting.length > 0) {
      await new Promise((resolve) => setImmediate(resolve));
      await flushSome();
    }
    flushing = undefined;
  };
  return {
    write: <T>(work: () => T): Promise<T> =>
      new Promise<T>((resolve, reject) => {
        waiting.push({ work, resolve: resolve as (value: unknown) => void, reject });
        flushing ??= flush();
      }),
    flushed: async () => flushing,
  };
}

function rejectAll(writes: readonly Write[], thrown: unknown): void {
  for (const { reject } of writes) reject(thrown);
}

interface FileConnection extends Connection {
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

export function createConnection(path: string): FileConnection {
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
    const statements = prepareStatements((text) => database.prepare(inFile(text)));
    return { database, statements, queue: createWriteQueue(database, findLoss), findLoss };
  } catch (thrown) {
    const problem = findLaterVersion(database, path);
    database.close();
    throw problem ?? thrown;
  }
}

/** SQLite finds its files by their names: others would not see what is written to an old one. */
const suffixes = ["", "-wal", "-shm"];

const find = (path: string): readonly (BigIntStats | undefined)[] =>
  suffixes.map((suffix) => statSync(`${path}${suffix}`, { bigint: true, throwIfNoEntry: false }));

/** Remembers the files of an open database. The result says why they are not in their place, if so. */
function rememberPlace(path: string): () => JournalError | undefined {
  const mine = find(path);
  return () => {
    const found = find(path);
    const isInPlace = mine.every(
      (file, at) =>
        file === undefined || (file.ino === found[at]?.ino && file.dev === found[at]?.dev),
    );
    return isInPlace
      ? undefined
      : deletedError(`The journal ${path} was deleted, renamed or replaced`);
  };
}

/** Opens or creates the file. A file that is not a journal stays as it is. */
async function openDatabase(path: string): Promise<DatabaseSync> {
  const database = new DatabaseSync(path);
  try {
    await retryWhileBusy(() => readVersion(database, path));
    await retryWhileBusy(() => configure(database, path));
    await retryWhileBusy(() => migrate(database, path));
    return database;
  } catch (thrown) {
    database.close();
    throw thrown;
  }
}

/**
 * `full`: a commit is on disk before it returns, also that of a journal in WAL mode. `fullfsync`:
 * macOS flushes the cache of the disk too. https://www.sqlite.org/pragma.html
 * It sets no busy timeout: while SQLite waits for a lock, the process can do nothing else.
 */
function configure(database: DatabaseSync, path: string): void {
  database.exec("pragma busy_timeout = 0; pragma synchronous = full; pragma fullfsync = on");
  const mode = database.prepare("pragma journal_mode = wal").get()?.["journal_mode"];
  if (mode === "wal") return;
  throw new JournalError(
    "unavailable",
    `The journal ${path} cannot have a write-ahead log: SQLite uses the mode "${mode}". Put it on a local disk.`,
  );
}
