import { startTimer } from "@fullstop/core/adapter";
import { aborted, sleep, unlessAborted } from "../util/abort.ts";
import { JournalError } from "./journal-error.ts";
import type { JournalTable } from "./journal-table.ts";

const firstPauseMs = 20;
const longestPauseMs = 1000;

/**
 * Tries an operation again after a lost connection, until the signal aborts. Then it rejects with
 * the reason of the signal, also if the operation is never answered.
 */
export async function persist<T>(
  { isTransient }: Pick<JournalTable, "isTransient">,
  signal: AbortSignal,
  operation: () => Promise<T>,
): Promise<T> {
  let failure: unknown;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    try {
      const result = await unlessAborted(operation(), signal);
      if (result !== aborted) return result;
    } catch (thrown) {
      if (!isTransient?.(thrown)) throw thrown;
      failure = thrown;
    }
    await sleep(pauseMs, signal);
    if (signal.aborted) throw withCause(signal.reason, failure);
  }
}

interface Patience {
  readonly leaseMs: number;
  readonly signal?: AbortSignal;
}

/** The same for an operation without a lease, for as long as a lease would take to end. */
export async function persistWithin<T>(
  table: Pick<JournalTable, "isTransient">,
  { leaseMs, signal }: Patience,
  operation: (isOver: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const stopTimer = startTimer(leaseMs, () => controller.abort(unavailableError(leaseMs)));
  const isOver =
    signal === undefined ? controller.signal : AbortSignal.any([signal, controller.signal]);
  try {
    return await persist(table, isOver, () => operation(isOver));
  } finally {
    stopTimer();
  }
}

const unavailableError = (ms: number): JournalError =>
  new JournalError(
    "unavailable",
    `The journal could not be reached for ${ms / 1000} s. Start the run again: what was recorded counts.`,
  );

/** A journal that cannot be reached says why. */
function withCause(reason: unknown, cause: unknown): unknown {
  if (reason instanceof JournalError && cause !== undefined) reason.cause ??= cause;
  return reason;
}
