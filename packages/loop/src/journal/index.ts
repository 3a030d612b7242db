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
export { type LeaseOptions, leasedJournal } from "./leased-journal.ts";
export { assertStepSize } from "./step-size.ts";
