export type {
  Journal,
  JournalStep,
  RecordedStep,
  RunEnd,
  RunLease,
  RunStatus,
  StoredRun,
} from "./journal.ts";
export { deletedError, JournalError, type JournalErrorKind } from "./journal-error.ts";
export type { Claim, JournalTable, TableStep } from "./journal-table.ts";
export { type LeaseOptions, leasedJournal } from "./leased-journal.ts";
export { assertStepSize } from "./step-size.ts";
