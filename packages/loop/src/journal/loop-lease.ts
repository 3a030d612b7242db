import type { Message } from "@fullstop/core";
import type { RunConfig } from "../config/run-config.ts";
import type { JournalStep, RunLease } from "../contract/journal.ts";
import type { Outcome } from "../contract/outcome.ts";

/** How a step runs, and which of its results are not recorded. */
export interface StepWork<T> {
  /** Calls `begin` before it has side effects. */
  readonly run: (begin: () => Promise<void>) => Promise<T>;
  /**
   * A transient result, such as an abort, is not recorded, so that a resumed run repeats the step.
   * A step that has begun is in doubt then.
   */
  readonly isTransient: (value: T) => boolean;
  /** Replaces a result that is larger than the journal takes. */
  readonly tooLarge?: (value: T) => T;
}

/** What a step gave. */
export interface StepResult<T> {
  readonly value: T;
  /** It comes from the journal. */
  readonly replayed: boolean;
}

/** A run, as its journal knows it. */
export type RecordedRun = Pick<RunConfig, "runId" | "isNested" | "mustBeRecorded">;

/** A lease, and what the loop does with one. */
export interface LoopLease extends RunLease {
  /** Runs a step, unless its result is recorded, and records the result. */
  step<T>(step: JournalStep, work: StepWork<T>): Promise<StepResult<T>>;
  /**
   * The beginning of all keys of a run. Throws if the journal holds a run with this id that began
   * with other messages, or no run that waits for the answers that are given.
   */
  keyPrefixOf(run: RecordedRun, messages: readonly Message[]): Promise<string>;
  /** The same lease, whose writes end soon after an abort. */
  endingWith(signal: AbortSignal): LoopLease;
}

/** What a run works with while it is the only writer of its journal. */
export interface LeasedRun {
  readonly lease: LoopLease;
  /** The signal of the caller. It also aborts if the lease is lost or the work fails. */
  readonly signal: AbortSignal;
  /** Gives the lease back. Rejects if it is lost, or if the end cannot be stored. */
  readonly close: (outcome: Outcome) => Promise<void>;
}

/** The lease of a run without a journal: it records nothing. */
export const noLease: LoopLease = {
  // Cloudflare Workers create no signal while a module is imported.
  get lost() {
    return new AbortController().signal;
  },
  read: async () => undefined,
  begin: async () => {},
  end: async () => {},
  close: async () => {},
  step: async (_, { run }) => ({ value: await run(async () => {}), replayed: false }),
  keyPrefixOf: async ({ runId }) => runId,
  endingWith: () => noLease,
};

/** A run that records nothing. */
export const unrecordedRun = (signal: AbortSignal): LeasedRun => ({
  lease: noLease,
  signal,
  close: async () => {},
});
