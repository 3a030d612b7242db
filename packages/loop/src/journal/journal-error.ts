/** What is wrong with a journal, and what to do about it. */
export type JournalErrorKind =
  /** Another process writes the run. Try again later, or leave the run to that process. */
  | "in-use"
  /**
   * Another process has taken the run, or the journal was deleted or replaced. This process must not
   * go on with it.
   */
  | "lost"
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

/** A program may hold two copies of this class. */
export const isJournalError = (thrown: unknown, kind: JournalErrorKind): thrown is JournalError =>
  thrown instanceof Error &&
  thrown.name === "JournalError" &&
  (thrown as JournalError).kind === kind;
