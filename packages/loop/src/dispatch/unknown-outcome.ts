/**
 * Throw it from `execute` if the call may have happened, and you cannot know: the connection was
 * lost after the request was sent, for example. The call is then in doubt: it is not repeated, and
 * the model is asked to check. With a journal, `journal.settle` is asked first.
 */
export class UnknownOutcome extends Error {
  override readonly name = "UnknownOutcome";
}

/** A program may hold two copies of this class. A value that throws when it is read is not one. */
export function isUnknownOutcome(thrown: unknown): thrown is Error {
  try {
    return thrown instanceof Error && thrown.name === "UnknownOutcome";
  } catch {
    return false;
  }
}
