import { sleep, startTimer } from "@fullstop/core/adapter";
import { isJournalError, JournalError } from "../contract/journal.ts";
import { unlessAborted } from "../util/abort.ts";
import { answerTime, unavailableError } from "./persist.ts";

export interface LeaseTerms {
  readonly runId: string;
  readonly leaseMs: number;
  /** When the lease was asked for, by `performance.now()`. */
  readonly since: number;
  /** False: another process has taken the run. */
  readonly renew: () => Promise<boolean>;
}

export interface KeptLease {
  /** Aborts with a `JournalError`. */
  readonly lost: AbortSignal;
  /** Resolves when the lease is held for certain. Rejects if it is lost. */
  readonly assertHeld: () => Promise<void>;
  /** The lease is lost for this process. Default: another process has the run. Returns the reason. */
  readonly lose: (reason?: JournalError) => JournalError;
  /** Ends the renewals. Resolves when none is under way, so that none follows a release. */
  readonly stop: () => Promise<void>;
}

/** Renewals for one lease, so that two may fail. */
const renewalsPerLease = 3;
/** Between two renewals that something waits for. */
const pauseMs = 100;

/** A process that was paused asks the table first: if no other took the run, the lease goes on. */
export function keepLease({ runId, leaseMs, since, renew }: LeaseTerms): KeptLease {
  const controller = new AbortController();
  const { signal: lost } = controller;
  let heldUntil = since + leaseMs;
  let failures = 0;
  let unanswered = 0;
  let isStopping = false;
  let renewing: Promise<void> | undefined;
  let stopTimer = (): void => {};
  const isHeld = (): boolean => performance.now() < heldUntil;
  const lose = (error: JournalError): JournalError => {
    stopTimer();
    controller.abort(error);
    return lost.reason as JournalError;
  };
  const beatMs = leaseMs / renewalsPerLease;
  // One failure is not enough: the connection of a process that was paused is often gone.
  const loseAfter = (failed: boolean, cause: unknown): void => {
    if (failed && !isHeld()) lose(endedError(runId, leaseMs, cause));
  };
  const renewOnce = async (): Promise<void> => {
    const asked = performance.now();
    try {
      if (!(await renew())) return void lose(takenError(runId));
      heldUntil = asked + leaseMs;
      failures = 0;
    } catch (cause) {
      if (isJournalError(cause, "deleted")) return void lose(cause);
      loseAfter(++failures >= renewalsPerLease, cause);
    }
  };
  const renewNow = async (): Promise<void> => {
    unanswered = 0;
    renewing ??= renewOnce().finally(() => {
      renewing = undefined;
    });
    await unlessAborted(renewing, lost);
  };
  // Counts beats and not time: after a pause, the answer may have arrived, and is read next.
  const beat = (): void => {
    if (renewing === undefined && !isStopping) void renewNow();
    else loseAfter(++unanswered * beatMs >= answerTime(leaseMs), undefined);
    schedule();
  };
  const schedule = (): void => {
    if (!lost.aborted) stopTimer = startTimer(beatMs, beat);
  };
  schedule();
  return {
    lost,
    assertHeld: async () => {
      while (!isHeld() && !lost.aborted) {
        await renewNow();
        if (!isHeld()) await sleep(pauseMs, lost);
      }
      lost.throwIfAborted();
    },
    lose: (reason = takenError(runId)) => lose(reason),
    stop: async () => {
      isStopping = true;
      if (renewing !== undefined) await unlessAborted(renewing, lost);
      stopTimer();
    },
  };
}
const takenError = (runId: string): JournalError =>
  new JournalError(
    "lost",
    `Another process has taken the run "${runId}", because the lease of this process had ended. This process stops the run, and nothing of it is recorded any more.`,
  );

const endedError = (runId: string, leaseMs: number, cause: unknown): JournalError =>
  unavailableError(
    `The lease of the run "${runId}" has ended, because the journal could not be reached for ${leaseMs / 1000} s`,
    cause,
  );
