import { DatabaseSync } from "node:sqlite";
import { JournalError } from "@fullstop/loop/journal";
import { migrate, readVersion } from "./migrations.ts";
import { retryWhileBusy } from "./retry-while-busy.ts";

/** Opens or creates the file. A file that is not a journal stays as it is. */
export async function openDatabase(path: string): Promise<DatabaseSync> {
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
