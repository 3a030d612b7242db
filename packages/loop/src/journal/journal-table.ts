import type { JournalStep, RunEnd } from "../contract/journal.ts";

/** The result of an attempt to take a run. */
export type Claim =
  /** `fence` is larger than that of each earlier claim of this run. */
  | { readonly granted: true; readonly fence: number }
  /**
   * Another lease is held. `renewal` differs after each renewal and each claim; `freeInMs`: the lease
   * ends then, unless it is renewed.
   */
  | { readonly granted: false; readonly renewal: string; readonly freeInMs: number };

/** A line of the table: a step that began, or, with `json`, one that ended. */
export interface TableStep {
  readonly step: JournalStep;
  readonly json?: string | undefined;
}

/**
 * What a database does for `leasedJournal`. Each function is one atomic operation, and may be
 * repeated if its answer was lost. Times are those of the database, so that the clocks of the
 * processes do not matter. `renew`, `write` and `release` reject with `deletedError` if the database
 * does not hold the run any more.
 */
export interface JournalTable {
  /** The largest `json` of a step, in bytes of UTF-8. Undefined: no limit is known. */
  readonly maxStepBytes?: number | undefined;
  /** Takes the run for `leaseMs` if no lease is held or the lease has ended. */
  claim(runId: string, leaseMs: number): Promise<Claim>;
  /** The lease ends `leaseMs` from now. False: the run has another fence. */
  renew(runId: string, fence: number, leaseMs: number): Promise<boolean>;
  /** Everything that is recorded for the run. A step that ended may have a line without `json` too. */
  load(
    runId: string,
  ): AsyncIterable<readonly { readonly key: string; readonly json?: string | undefined }[]>;
  /** Records a line durably, unless the run has another fence: then it records nothing, and returns false. */
  write(runId: string, fence: number, line: TableStep): Promise<boolean>;
  /** Ends the lease at once, and stores how the run stopped. False: the run has another fence, and nothing happened. */
  release(runId: string, fence: number, end: RunEnd | undefined): Promise<boolean>;
  /** Whether the same operation may succeed later, such as after a lost connection. Default: no. */
  isTransient?(thrown: unknown): boolean;
}
