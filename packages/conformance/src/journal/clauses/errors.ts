/** An error as journals throw it. The suite needs only the types of the loop. */
const journalError = (kind: string, message: string): Error =>
  Object.assign(new Error(message), { name: "JournalError", kind });

/** The error of a journal whose run another process writes. */
export const inUseError = (runId: string): Error =>
  journalError("in-use", `Another process is running "${runId}".`);

/** The error of a journal whose run another process has taken. */
export const lostError = (runId: string): Error =>
  journalError("lost", `Another process has taken the run "${runId}".`);
