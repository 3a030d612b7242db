export { escapeControls } from "./escape.ts";
export {
  countByStatus,
  countClaimed,
  type Entry,
  entriesOf,
  finding,
  findingOf,
  groupByFamily,
  hasFailures,
} from "./finding.ts";
export type { Finding, Report, ReportedSubject, Status } from "./report.ts";
export { type Color, type StatusText, statuses, statusNames } from "./status.ts";
export {
  describeFailures,
  describeFinding,
  formatCheckCount,
  report,
  shownChecks,
} from "./verdict.ts";
