import { isBusy } from "./sqlite-error.ts";

/** Other processes hold the lock for the milliseconds of a transaction. A lease lasts longer. */
const patienceMs = 1000;
/** The longer the wait, the longer the pauses: from 1 ms to 26 ms. */
const pauseAfter = (waitedMs: number): number => 1 + waitedMs / 80;

/**
 * Tries again while another connection has the lock, for about a second of the clock. The
 * process can work between the attempts. SQLite has no queue of writers, so short pauses give each
 * of them its turn.
 */
export async function retryWhileBusy<T>(work: () => T): Promise<T> {
  const since = performance.now();
  for (;;) {
    const waitedMs = performance.now() - since;
    try {
      return work();
    } catch (thrown) {
      if (!isBusy(thrown) || waitedMs > patienceMs) throw thrown;
    }
    await new Promise((resolve) => setTimeout(resolve, pauseAfter(waitedMs)));
  }
}
