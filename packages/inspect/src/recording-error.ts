/** What is wrong with a recording. */
export type RecordingErrorKind =
  /** The file has no line. */
  | "empty"
  /** The file is something else, such as a journal. */
  | "not-a-recording"
  /** A later version of this package wrote it. */
  | "newer-version"
  /** The file cannot be opened or written. `cause` is the error of the file system. */
  | "cannot-write"
  /** A reply cannot be saved as a fixture. */
  | "no-fixture"
  /** The option `redact` threw, or returned something other than a text. */
  | "redact-failed";

/** A recording cannot be read or written. The message says what to do. */
export class RecordingError extends Error {
  override readonly name = "RecordingError";
  readonly kind: RecordingErrorKind;

  constructor(kind: RecordingErrorKind, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.kind = kind;
  }
}
