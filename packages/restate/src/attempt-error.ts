import type { JournalErrorKind } from "@fullstop/loop/journal";
import { PauseError, RetryableError, TerminalError } from "@restatedev/restate-sdk";

/**
 * `retry`: another attempt continues the run. `pause`: no attempt can succeed until a person has
 * changed something, and then resumes the invocation.
 */
const reactions: Readonly<Record<JournalErrorKind, "retry" | "pause">> = {
  "in-use": "retry",
  lost: "retry",
  unavailable: "retry",
  deleted: "pause",
  "too-large": "pause",
  damaged: "pause",
};

const retryAfter = { seconds: 2 };

/** What Restate makes of an error of a run. Other errors follow the retry policy of the workflow. */
export function toAttemptError(thrown: unknown): unknown {
  if (!isJournalError(thrown)) return thrown;
  const { message } = thrown;
  // `PauseError.from` of SDK 1.17 makes a RetryableError.
  return reactions[thrown.kind] === "retry"
    ? new RetryableError(message, { retryAfter, cause: thrown })
    : new PauseError(message, { cause: thrown });
}

interface JournalFailure extends Error {
  readonly kind: JournalErrorKind;
}
const isJournalError = (thrown: unknown): thrown is JournalFailure =>
  thrown instanceof Error &&
  thrown.name === "JournalError" &&
  "kind" in thrown &&
  Object.hasOwn(reactions, String(thrown.kind));

/** The process stops, or Restate no longer waits for this attempt. Nothing is lost. */
export const interruptedError = (runId: string): RetryableError =>
  new RetryableError(
    `The run "${runId}" was interrupted in this process. Another attempt continues it.`,
    { retryAfter },
  );

/** `run` refused the options when the run was to start: the caller gets the sentence. */
export const refusedError = (refusal: Error): TerminalError =>
  new TerminalError(`The run cannot start. ${refusal.message}`, { errorCode: 400 });

/** `run` refused the options of a run that has begun, such as after a deployment. */
export const pausedError = (refusal: Error): PauseError =>
  new PauseError(
    `The options of the run cannot work. Correct them, deploy, and resume the invocation. ${refusal.message}`,
    { cause: refusal },
  );
