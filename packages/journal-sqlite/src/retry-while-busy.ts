import { isBusy } from "./sqlite-error.ts";

/** The pauses between two attempts, in milliseconds, until the next one is at the end. */
const longestPauseMs = 25;
/** Other processes hold a lock for the milliseconds of a transaction. */
const patienceMs = 2000;

/**
 * Tries again while another connection has the lock, for about two seconds of the clock. The
 * process can work between the attempts.
 */
export async function retryWhileBusy<T>(work: () => T): Promise<T> {
  const since = performance.now();
  for (let pauseMs = 1; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    try {
      return work();
    } catch (thrown) {
      if (!isBusy(thrown) || performance.now() - since > patienceMs) throw thrown;
    }
    // A random part, so that processes which began together do not meet again.
    await new Promise((resolve) => setTimeout(resolve, pauseMs * (0.5 + Math.random())));
  }
}
