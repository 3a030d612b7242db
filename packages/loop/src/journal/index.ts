export {
  deletedError,
  type Journal,
  JournalError,
  type JournalErrorKind,
  type JournalStep,
  type RecordedStep,
  type RunEnd,
  type RunLease,
  type RunStatus,
  type StoredRun,
} from "../contract/journal.ts";
export type { Claim, JournalTable, TableStep } from "./journal-table.ts";
export { assertStepSize, type LeaseOptions, leasedJournal } from "./leased-journal.ts";
