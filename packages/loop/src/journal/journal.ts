import type { ReviewedCall } from "../config/ports.ts";
import type { Outcome } from "../outcome.ts";

/** Something that a run does once, such as a request or a call. */
export interface JournalStep {
  /**
   * `<run>/<turn>/model`, `<run>/<turn>/<position>` and so on. The keys of a sub-agent begin with
   * the key of its call instead of `<run>`. A key never contains an id of the provider.
   */
  readonly key: string;
  /** What the step does. Only a step of the kind `tool` is recorded with `begin`. */
  readonly kind:
    | "run"
    | "model"
    | "tool"
    | "approval"
    | "settlement"
    | "before-turn"
    | "compaction";
}

/** A step as a journal holds it. If only its beginning is recorded, its result is not known. */
export type RecordedStep =
  | { readonly state: "begun" }
  /** `json` is the text that `end` got. */
  | { readonly state: "ended"; readonly json: string };

/** How a run stopped, for those who look for it later. */
export interface RunEnd {
  readonly status: Outcome["status"];
  /** The calls that a run with the status `waiting` waits for. */
  readonly calls?: readonly ReviewedCall[];
}

/**
 * The right of one process to write the steps of a run. After another process has taken the run,
 * `begin` and `end` reject and record nothing.
 */
export interface RunLease {
  /** Aborts if the lease is lost while the run goes on. The reason is a `JournalError`. */
  readonly lost: AbortSignal;
  /** The largest `json` of a step, in bytes of UTF-8. Undefined: no limit is known. */
  readonly maxStepBytes?: number | undefined;
  /** Undefined: nothing is recorded for this key. */
  read(key: string): Promise<RecordedStep | undefined>;
  /**
   * Records that the step may have side effects from now on. Resolves when this would survive a
   * crash and the lease is still held.
   */
  begin(step: JournalStep): Promise<void>;
  /** Records the result of the step. Resolves when it would survive a crash. */
  end(step: JournalStep, json: string): Promise<void>;
  /**
   * Gives the lease back. `end` says how the run stopped. Undefined: it was interrupted. A second
   * call has no effect.
   */
  close(end?: RunEnd): Promise<void>;
}

/**
 * Remembers the steps of runs by their keys, so that a run which was killed can continue without
 * repeating them. `journalConformance` of `@fullstop/conformance` checks one of your own.
 */
export interface Journal {
  /**
   * Makes the caller the only writer of the run.
   * @throws JournalError of the kind `in-use` if another process writes it.
   */
  open(runId: string, signal?: AbortSignal): Promise<RunLease>;
}

/** A run as a journal lists it. */
export interface StoredRun {
  readonly runId: string;
  /**
   * `running`: a process has its lease. `interrupted`: it stopped without an outcome, because its
   * process was killed or the run rejected. Otherwise the status of its outcome.
   */
  readonly status: RunStatus;
  /** The calls that a waiting run waits for. */
  readonly calls?: readonly ReviewedCall[];
  readonly createdAt: Date;
  /** When its lease was taken, given back, or last renewed. */
  readonly updatedAt: Date;
}

/** The status of a run in its journal: that of its outcome, or that it has none. */
export type RunStatus = Outcome["status"] | "running" | "interrupted";
