import { startTimer } from "@fullstop/core/adapter";
import { aborted, sleep, unlessAborted } from "../util/abort.ts";
import { JournalError } from "./journal-error.ts";
import type { JournalTable } from "./journal-table.ts";

const firstPauseMs = 20;
const longestPauseMs = 1000;

/** Milliseconds that a database has to answer. A lease may be shorter than an operation. */
export const answerTime = (leaseMs: number): number => Math.max(leaseMs, 2000);

/**
 * Tries an operation again after a lost connection, until the signal aborts. Then it rejects with
 * the reason of the signal, also if the operation is never answered.
 */
export async function persist<T>(
  { isTransient }: Pick<JournalTable, "isTransient">,
  signal: AbortSignal,
  operation: () => Promise<T>,
  onFailure?: () => void,
): Promise<T> {
  let failure: unknown;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    try {
      const result = await unlessAborted(operation(), signal);
      if (result !== aborted) return result;
    } catch (thrown) {
      if (!isTransient?.(thrown)) throw thrown;
      failure = thrown;
      onFailure?.();
    }
    await sleep(pauseMs, signal);
    if (signal.aborted) throw withCause(signal.reason, failure);
  }
}

interface Patience {
  readonly leaseMs: number;
  readonly signal?: AbortSignal;
}

/**
 * The same for an operation without a lease: for as long as a lease would take to end, or longer if
 * the operation is still under way.
 */
export async function persistWithin<T>(
  table: Pick<JournalTable, "isTransient">,
  { leaseMs, signal }: Patience,
  operation: (isOver: AbortSignal) => Promise<T>,
): Promise<T> {
  const since = performance.now();
  const controller = new AbortController();
  const giveUp = (): void => controller.abort(unavailableError(leaseMs));
  const stopTimer = startTimer(answerTime(leaseMs), giveUp);
  const onFailure = (): void => {
    if (performance.now() - since >= leaseMs) giveUp();
  };
  const isOver =
    signal === undefined ? controller.signal : AbortSignal.any([signal, controller.signal]);
  try {
    return await persist(table, isOver, () => operation(isOver), onFailure);
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
