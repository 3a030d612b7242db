import { startTimer } from "@fullstop/core/adapter";
import { JournalError } from "./journal-error.ts";

/** What a lease needs of its table. */
export interface LeaseTerms {
  readonly runId: string;
  readonly leaseMs: number;
  /** When the lease was asked for, by `performance.now()`. */
  readonly since: number;
  /** False: another process has taken the run. */
  readonly renew: () => Promise<boolean>;
}

/** A lease that is renewed until it is stopped or lost. */
export interface KeptLease {
  /** Aborts with a `JournalError`. */
  readonly lost: AbortSignal;
  /** By the clock of this process, no other process can have taken the run yet. */
  readonly isHeld: () => boolean;
  /** Resolves when the lease is held for certain. Rejects if it is lost. */
  readonly assertHeld: () => Promise<void>;
  /** Ends the lease for this process, and returns the reason. */
  readonly lose: () => JournalError;
  readonly stop: () => void;
}

/** Renewals for one lease, so that two may fail. */
const renewalsPerLease = 3;

/**
 * Renews a lease in the background. A process that was paused asks the table first: if nobody took
 * the run in the meantime, the lease goes on.
 */
export function keepLease({ runId, leaseMs, since, renew }: LeaseTerms): KeptLease {
  const controller = new AbortController();
  let heldUntil = since + leaseMs;
  let stopTimer = (): void => {};
  let renewing: Promise<void> | undefined;
  const stop = (): void => stopTimer();
  const isHeld = (): boolean => performance.now() < heldUntil;
  const end = (error: JournalError): JournalError => {
    stop();
    controller.abort(error);
    return controller.signal.reason as JournalError;
  };
  const renewOnce = async (): Promise<void> => {
    const asked = performance.now();
    try {
      if (await renew()) heldUntil = asked + leaseMs;
      else end(takenError(runId));
    } catch (cause) {
      if (!isHeld()) end(endedError(runId, leaseMs, cause));
    }
  };
  const renewNow = (): Promise<void> => {
    renewing ??= renewOnce().finally(() => {
      renewing = undefined;
    });
    return renewing;
  };
  const schedule = (): void => {
    stopTimer = startTimer(leaseMs / renewalsPerLease, () => {
      void renewNow().then(() => {
        if (!controller.signal.aborted) schedule();
      });
    });
  };
  schedule();
  return {
    lost: controller.signal,
    isHeld,
    assertHeld: async () => {
      while (!isHeld() && !controller.signal.aborted) await renewNow();
      controller.signal.throwIfAborted();
    },
    lose: () => end(takenError(runId)),
    stop,
  };
}

const takenError = (runId: string): JournalError =>
  new JournalError(
    "lost",
    `Another process has taken the run "${runId}", because the lease of this process had ended. This process stops the run, and nothing of it is recorded any more.`,
  );

const endedError = (runId: string, leaseMs: number, cause: unknown): JournalError =>
  new JournalError(
    "unavailable",
    `The journal could not be reached for ${leaseMs / 1000} s, so the lease of the run "${runId}" has ended. Start the run again: what was recorded counts.`,
    { cause },
  );
