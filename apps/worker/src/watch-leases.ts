import { setTimeout as sleep } from "node:timers/promises";
import type { Journal, RunEnd } from "@fullstop/loop/journal";

/** A journal, and the runs that this process has at the moment. */
export interface WatchedJournal {
  readonly journal: Journal;
  /** Resolves when this process has no run, or after `longestMs`. */
  untilIdle(longestMs: number): Promise<void>;
}

/** Counts the leases of a journal. `onEnd` is called when the status of a run is recorded. */
export function watchLeases(
  { open }: Journal,
  onEnd: (runId: string, end: RunEnd) => void,
): WatchedJournal {
  let openLeases = 0;
  return {
    journal: {
      open: async (runId, signal) => {
        const lease = await open(runId, signal);
        openLeases += 1;
        let isOpen = true;
        const close: typeof lease.close = async (end) => {
          await lease.close(end).finally(() => {
            if (isOpen) openLeases -= 1;
            isOpen = false;
          });
          if (end !== undefined) onEnd(runId, end);
        };
        return { ...lease, close };
      },
    },
    untilIdle: async (longestMs) => {
      const end = performance.now() + longestMs;
      while (openLeases > 0 && performance.now() < end) await sleep(20);
    },
  };
}
