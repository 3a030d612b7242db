import { sleep, startTimer } from "@fullstop/core/adapter";
import { JournalError } from "../contract/journal.ts";
import { aborted, onAbort, unlessAborted } from "../util/abort.ts";
import type { JournalTable } from "./journal-table.ts";

const firstPauseMs = 20;
const longestPauseMs = 1000;

/** Milliseconds that a database has to answer. A lease may be shorter than an operation. */
export const answerTime = (leaseMs: number): number => Math.max(leaseMs, 2000);

interface Patience {
  readonly leaseMs: number;
  /** Ends the attempts. */
  readonly signal: AbortSignal;
  /** What fails if the time is over, as the beginning of a sentence. */
  readonly failing?: string;
}
interface Attempt {
  /** Aborts when the answer no longer counts. */
  readonly isOver: AbortSignal;
  /** A part of the answer came: the time begins anew, unless an attempt has failed. */
  readonly onPart: () => void;
}

/**
 * Tries an operation again after a lost connection, for as long as a lease would take to end.
 * Renewals of the lease do not count: they may succeed while nothing else does. Rejects also if the
 * operation is never answered.
 * @throws JournalError of the kind `unavailable`, with the last failure as its cause.
 */
export async function persist<T>(
  { isTransient }: Pick<JournalTable, "isTransient">,
  { leaseMs, signal, failing = "The journal could not be reached" }: Patience,
  operation: (attempt: Attempt) => Promise<T>,
): Promise<T> {
  const limitMs = answerTime(leaseMs);
  const over = new AbortController();
  const { signal: isOver } = over;
  const limit = startLimit(limitMs, () => over.abort());
  const unsubscribe = onAbort(signal, () => over.abort());
  let failure: unknown;
  const onPart = (): void => {
    if (failure === undefined) limit.restart();
  };
  try {
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
      try {
        const result = await unlessAborted(operation({ isOver, onPart }), isOver);
        if (result !== aborted) return result;
      } catch (thrown) {
        if (!isTransient?.(thrown)) throw thrown;
        failure = thrown;
      }
      await sleep(pauseMs, isOver);
      signal.throwIfAborted();
      if (isOver.aborted) throw unavailableError(`${failing} for ${limitMs / 1000} s`, failure);
    }
  } finally {
    limit.stop();
    unsubscribe();
  }
}

/** A limit has several beats: after a pause of the process, an answer that has arrived is read first. */
const beatsOfLimit = 4;

function startLimit(ms: number, onEnd: () => void) {
  let left = beatsOfLimit;
  let stopTimer = (): void => {};
  const wait = (): void => {
    stopTimer = startTimer(ms / beatsOfLimit, () => {
      left -= 1;
      if (left === 0) onEnd();
      else wait();
    });
  };
  wait();
  return {
    stop: () => stopTimer(),
    restart: () => {
      left = beatsOfLimit;
    },
  };
}

/** `what` is the beginning of a sentence, which the failure ends. */
export function unavailableError(what: string, thrown: unknown): JournalError {
  const failure = thrown ?? new Error("The journal did not answer.");
  return new JournalError(
    "unavailable",
    `${what}: ${sentenceOf(failure)} Start the run again: what was recorded counts.`,
    { cause: failure },
  );
}

/** A host with several addresses fails with an error for each of them, and no text. */
function sentenceOf(failure: unknown): string {
  if (failure instanceof AggregateError && failure.message === "")
    return sentenceOf(failure.errors[0]);
  const text = failure instanceof Error ? failure.message : String(failure);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
