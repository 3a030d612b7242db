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

/** `what` says what was deleted, as the beginning of the message. */
export const deletedError = (what: string): JournalError =>
  new JournalError(
    "deleted",
    `${what} while a run used it. The run was stopped. Find out what its calls did before you start it again: what was recorded is gone.`,
  );

/** A program may hold two copies of this class. */
export const isJournalError = (thrown: unknown, kind: JournalErrorKind): thrown is JournalError =>
  thrown instanceof Error &&
  thrown.name === "JournalError" &&
  (thrown as JournalError).kind === kind;
