import type { Message } from "@fullstop/core";
import type { RunConfig } from "../config/run-config.ts";
import type { JournalStep, RunLease } from "../contract/journal.ts";
import type { Outcome } from "../contract/outcome.ts";

/** A resumed run repeats such a step, for example an abort. One that has begun is in doubt then. */
export class Unrecorded<T> {
  readonly value: T;

  constructor(value: T) {
    this.value = value;
  }
}
export const unrecorded = <T>(value: T): Unrecorded<T> => new Unrecorded(value);

export interface StepWork<T, U> {
  /** Calls `begin` before it has side effects. */
  readonly run: (begin: () => Promise<void>) => Promise<T | Unrecorded<U>>;
  /** Replaces a result that is larger than the journal takes. */
  readonly tooLarge?: ((value: T) => T) | undefined;
}

/** What a step gave. `replayed`: it comes from the journal. */
export type StepResult<T, U> =
  | { readonly isRecorded: true; readonly value: T; readonly replayed: boolean }
  | { readonly isRecorded: false; readonly value: U; readonly replayed: false };

/** A run, as its journal knows it. */
export type RecordedRun = Pick<RunConfig, "runId" | "isNested" | "mustBeRecorded">;

/** What a journal holds for a step. */
export type ParsedStep =
  | { readonly state: "begun" }
  | { readonly state: "ended"; readonly value: unknown };

export interface LoopLease extends RunLease {
  /** Throws if the journal holds something that is not the result of such a step. */
  recorded(step: JournalStep): Promise<ParsedStep | undefined>;
  /** Runs a step, unless its result is recorded, and records the result. */
  step<T, U = never>(step: JournalStep, work: StepWork<T, U>): Promise<StepResult<T, U>>;
  /**
   * The beginning of all keys of a run. Throws if the journal holds a run with this id that began
   * with other messages, or no run that waits for the answers that are given.
   */
  keyPrefixOf(run: RecordedRun, messages: readonly Message[]): Promise<string>;
  /** The same lease, which does not wait for its journal long after an abort. */
  endingWith(signal: AbortSignal): LoopLease;
}

/** What a run works with while it is the only writer of its journal. */
export interface LeasedRun {
  readonly lease: LoopLease;
  /** It aborts with the caller, at the deadline, and if the lease is lost or the work fails. */
  readonly signal: AbortSignal;
  /** Gives the lease back. Rejects if it is lost, or if the end cannot be stored. */
  readonly close: (outcome: Outcome) => Promise<void>;
}

export const noLease: LoopLease = {
  // Cloudflare Workers create no signal while a module is imported.
  get lost() {
    return new AbortController().signal;
  },
  read: async () => undefined,
  recorded: async () => undefined,
  begin: async () => {},
  end: async () => {},
  close: async () => {},
  step: async (_, { run }) => {
    const value = await run(async () => {});
    return value instanceof Unrecorded
      ? { isRecorded: false, value: value.value, replayed: false }
      : { isRecorded: true, value, replayed: false };
  },
  keyPrefixOf: async ({ runId }) => runId,
  endingWith: () => noLease,
};

export const unrecordedRun = (signal: AbortSignal): LeasedRun => ({
  lease: noLease,
  signal,
  close: async () => {},
});
