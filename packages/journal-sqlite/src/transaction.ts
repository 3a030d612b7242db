import type { DatabaseSync } from "node:sqlite";

/** Calls `work` inside a transaction. If it throws, nothing was changed. */
export function inTransaction<T>(
  database: DatabaseSync,
  kind: "deferred" | "immediate",
  work: () => T,
): T {
  database.exec(`begin ${kind}`);
  try {
    const result = work();
    database.exec("commit");
    return result;
  } catch (thrown) {
    rollBack(database);
    throw thrown;
  }
}

/** After some errors SQLite has rolled back already and rejects this: the first error counts. */
export function rollBack(database: DatabaseSync): void {
  try {
    database.exec("rollback");
  } catch {}
}
