export {
  type DeleteRunsOptions,
  deletedError,
  isJournalError,
  type Journal,
  JournalError,
  type JournalErrorKind,
  type JournalStep,
  type ListRunsOptions,
  type RecordedStep,
  type RunEnd,
  type RunLease,
  type RunStatus,
  readStoredRun,
  type StoredJournal,
  type StoredRun,
} from "../contract/journal.ts";
export type { Claim, JournalTable, TableStep } from "./journal-table.ts";
export { type LeaseOptions, leasedJournal } from "./leased-journal.ts";
