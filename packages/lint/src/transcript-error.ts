/** A value or a file that cannot be read as a transcript. The message says what was expected. */
export class TranscriptError extends Error {
  override readonly name = "TranscriptError";
}
