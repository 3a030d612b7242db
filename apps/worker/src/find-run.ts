import type { PostgresJournal } from "@fullstop/journal-postgres";
import type { RunStatus, StoredRun } from "@fullstop/loop/journal";

const pageSize = 500;

/** All runs with this status, the oldest first. */
export async function* readRuns(
  journal: PostgresJournal,
  status?: RunStatus,
): AsyncGenerator<StoredRun> {
  let after: StoredRun | undefined;
  do {
    const page = await journal.listRuns({ status, after, limit: pageSize });
    yield* page;
    after = page.length === pageSize ? page.at(-1) : undefined;
  } while (after !== undefined);
}

export async function findRun(
  journal: PostgresJournal,
  runId: string,
): Promise<StoredRun | undefined> {
  for await (const found of readRuns(journal)) if (found.runId === runId) return found;
  return undefined;
}
