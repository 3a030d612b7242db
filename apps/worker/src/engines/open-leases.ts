import { setTimeout as sleep } from "node:timers/promises";
import type { Journal } from "@fullstop/loop/journal";

/** A journal, and the runs that this process has at the moment. */
export interface WatchedJournal {
  readonly journal: Journal;
  /** Resolves when no run is open, or after `longestMs`. */
  untilNoneOpen(longestMs: number): Promise<void>;
}

/** Counts the leases of a journal. */
export function watchLeases({ open }: Journal): WatchedJournal {
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
        };
        return { ...lease, close };
      },
    },
    untilNoneOpen: async (longestMs) => {
      const end = performance.now() + longestMs;
      while (openLeases > 0 && performance.now() < end) await sleep(20);
    },
  };
}
