export {
  type DeleteRunsOptions,
  deletedError,
  type Journal,
  JournalError,
  type JournalErrorKind,
  type JournalStep,
  type ListRunsOptions,
  type RecordedStep,
  type RunEnd,
  type RunLease,
  type RunStatus,
  readStoredCalls,
  type StoredRun,
} from "../contract/journal.ts";
export type { Claim, JournalTable, TableStep } from "./journal-table.ts";
export { assertStepSize, type LeaseOptions, leasedJournal } from "./leased-journal.ts";
