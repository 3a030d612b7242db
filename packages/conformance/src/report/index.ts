export { describeReferences, type LinkedText, linkReferences, urlOf } from "./references.ts";
export {
  countByStatus,
  countClaimed,
  type Entry,
  entriesOf,
  type Finding,
  finding,
  findingOf,
  groupByFamily,
  hasFailures,
  type Report,
  type ReportedSubject,
} from "./report.ts";
export { type Color, type Status, type StatusText, statuses, statusNames } from "./status.ts";
export {
  describeFailures,
  describeFinding,
  escapeControls,
  formatCheckCount,
  report,
  shownChecks,
} from "./verdict.ts";
