import { parsePlainJson } from "@fullstop/core/adapter";
import type { Outcome } from "./outcome.ts";
import type { ReviewedCall } from "./ports.ts";

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
    | "input"
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
   * Gives the lease back. `end` says how the run stopped; then it rejects if the lease was lost.
   * Undefined: the run was interrupted. A second call has no effect.
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

/** A journal of many runs, in a database. */
export interface StoredJournal extends Journal {
  /** The stored runs, the oldest first. */
  listRuns(options?: ListRunsOptions): Promise<readonly StoredRun[]>;
  /** Removes ended runs with their steps. Resolves with the number of removed runs. */
  deleteRuns(options: DeleteRunsOptions): Promise<number>;
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

/** Which runs `listRuns` of a journal returns. */
export interface ListRunsOptions {
  /** Default: each status. */
  readonly status?: RunStatus | undefined;
  /** Default: 100. */
  readonly limit?: number | undefined;
  /** Continues after this run: the last of the list before. */
  readonly after?: Pick<StoredRun, "createdAt" | "runId"> | undefined;
}

/** Which runs `deleteRuns` of a journal removes. */
export interface DeleteRunsOptions {
  /** The runs that stopped before this time, by the clock of the database or the machine. */
  readonly endedBefore: Date;
  /**
   * Default: each status with which a run has ended for good. A run that is `waiting` or
   * `interrupted` can be continued, so name it if you want to remove it.
   */
  readonly statuses?: readonly Exclude<RunStatus, "running">[] | undefined;
}

/** The status of a run in its journal: that of its outcome, or that it has none. */
export type RunStatus = Outcome["status"] | "running" | "interrupted";

/** What is wrong with a journal, and what to do about it. */
export type JournalErrorKind =
  /** Another process writes the run. Try again later, or leave the run to that process. */
  | "in-use"
  /** Another process has taken the run. Leave it to that process. */
  | "lost"
  /**
   * What the journal held of the run was deleted while the run used it. Find out what its calls did
   * before you start it again.
   */
  | "deleted"
  /** A step is larger than the journal takes. */
  | "too-large"
  /** The journal cannot be reached or written. Start the run again: what was recorded counts. */
  | "unavailable"
  /** What the journal holds cannot be read. */
  | "damaged";

/** `outcome()` rejects with it if the run cannot be recorded. Start the run again to continue it. */
export class JournalError extends Error {
  override readonly name = "JournalError";
  readonly kind: JournalErrorKind;

  constructor(kind: JournalErrorKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}

/** The error of a run whose steps were deleted. `what` was, and begins the message. */
export const deletedError = (what: string): JournalError =>
  new JournalError(
    "deleted",
    `${what} while a run used it. The run was stopped. Find out what its calls did before you start it again: what was recorded is gone.`,
  );

/** Whether it is a `JournalError`, also of another copy of this package: of these kinds, or of any. */
export const isJournalError = (
  thrown: unknown,
  ...kinds: readonly JournalErrorKind[]
): thrown is JournalError =>
  thrown instanceof Error &&
  thrown.name === "JournalError" &&
  (kinds.length === 0 || kinds.includes((thrown as JournalError).kind));

/** A run whose calls are JSON in a column of this name. Throws a `JournalError` if damaged. */
export function readStoredRun(
  { calls, ...run }: Omit<StoredRun, "calls"> & { readonly calls: string | null | undefined },
  column: string,
): StoredRun {
  try {
    return { ...run, ...(calls != null && { calls: parsePlainJson(calls) }) };
  } catch (cause) {
    throw new JournalError(
      "damaged",
      `The calls of the run ${JSON.stringify(run.runId)} are not JSON any more. Restore ${column}, or delete the run.`,
      { cause },
    );
  }
}
