import type { DatabaseSync } from "node:sqlite";
import { retryWhileBusy } from "./retry-while-busy.ts";
import { rollBack } from "./transaction.ts";

export interface WriteQueue {
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
export function createWriteQueue(
  database: DatabaseSync,
  findLoss: () => Error | undefined,
): WriteQueue {
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
