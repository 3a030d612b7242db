export {
  claimed,
  type Entry,
  entriesOf,
  fails,
  families,
  finding,
  findingOf,
  tally,
} from "./finding.ts";
export type { Finding, Report, ReportedSubject, Status } from "./report.ts";
export { type Color, type StatusText, statuses, statusNames } from "./status.ts";
export { beside, checksText, counted, report, shownOf } from "./verdict.ts";
export { visible } from "./visible.ts";
