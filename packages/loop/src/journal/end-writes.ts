import { startTimer } from "@fullstop/core/adapter";
import { JournalError, type RunLease } from "../contract/journal.ts";
import { aborted, onAbort, unlessAborted } from "../util/abort.ts";
import { abortCause } from "../util/deadline.ts";

/** Milliseconds that a journal has for its writes after an abort. Most need a few. */
const graceMs = 2000;

/**
 * A lease whose writes end soon after an abort of the run, also if the journal hangs. Such a write
 * rejects with a `JournalError` of the kind `unavailable`. Whether it was recorded is not known, so
 * a call that had started is in doubt.
 */
export function endWritesAfterAbort(lease: RunLease, signal: AbortSignal): RunLease {
  const limit = (what: string, write: Promise<void>): Promise<void> =>
    unlessLate(write, signal, `${what} could not be recorded`);
  return {
    get lost() {
      return lease.lost;
    },
    ...(lease.maxStepBytes !== undefined && { maxStepBytes: lease.maxStepBytes }),
    read: (key) => lease.read(key),
    begin: (step) => limit(`The step "${step.key}"`, lease.begin(step)),
    end: (step, json) => limit(`The step "${step.key}"`, lease.end(step, json)),
    close: (end) => limit("The end of the run", lease.close(end)),
  };
}

async function unlessLate(write: Promise<void>, signal: AbortSignal, what: string): Promise<void> {
  const late = new AbortController();
  let stopTimer = (): void => {};
  const unsubscribe = onAbort(signal, () => {
    stopTimer = startTimer(graceMs, () => late.abort());
  });
  try {
    if ((await unlessAborted(write, late.signal)) !== aborted) return;
    throw new JournalError(
      "unavailable",
      `${what} within ${graceMs / 1000} s after ${abortCause(signal)}. Start the run again: what was recorded counts.`,
      { cause: signal.reason },
    );
  } finally {
    unsubscribe();
    stopTimer();
  }
}
