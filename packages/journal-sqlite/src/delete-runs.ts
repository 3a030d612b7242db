import type { DeleteRunsOptions } from "@fullstop/loop/journal";
import type { Connection } from "./journal-table.ts";

/** In several transactions, between which other processes can write. */
export async function deleteRuns(
  { write }: Connection,
  { endedBefore, statuses }: DeleteRunsOptions,
): Promise<number> {
  const which = {
    endedBefore: endedBefore.getTime(),
    statuses: statuses === undefined ? null : JSON.stringify(statuses),
  };
  for (let deleted = 0; ; ) {
    const count = await write(({ findEnded, deleteSteps, deleteRun }) => {
      const ended = findEnded.all({ ...which, now: Date.now() });
      for (const { id } of ended) {
        deleteSteps.run({ id: Number(id) });
        deleteRun.run({ id: Number(id) });
      }
      return ended.length;
    });
    if (count === 0) return deleted;
    deleted += count;
  }
}
