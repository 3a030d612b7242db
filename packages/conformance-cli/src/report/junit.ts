import {
  countByStatus,
  describeFailures,
  describeFinding,
  type Entry,
  entriesOf,
  type Report,
  type ReportedSubject,
  statuses,
} from "@fullstop/conformance/report";
import { type Markup, markup } from "./markup.ts";

/**
 * JUnit XML: a test suite for each subject, a test case for each clause. A clause that was not
 * asked or is not claimed is skipped.
 */
export function junit(report: Report): string {
  const suites = report.subjects.map((subject) => testSuite(subject, report));
  return `<?xml version="1.0" encoding="UTF-8"?>\n${markup`<testsuites name="conformance">\n${suites}</testsuites>\n`.markup}`;
}

function testSuite(subject: ReportedSubject, { suite, at, clauses }: Report): Markup {
  const entries = entriesOf(subject, clauses);
  const counts = countByStatus(entries);
  const failures = counts.broken + counts.stale;
  const skipped = entries.length - failures - counts.kept;
  const properties = Object.entries({
    suite,
    wire: subject.wire,
    ...subject.versions,
    ...(subject.command && { command: subject.command }),
  });
  return markup`<testsuite name="${subject.name}" timestamp="${at.replace(/\.\d+Z$/, "")}" tests="${entries.length}" failures="${failures}" errors="0" skipped="${skipped}">
<properties>
${properties.map(([name, value]) => markup`<property name="${name}" value="${value}"/>\n`)}</properties>
${entries.map((entry) => testCase(subject, entry))}</testsuite>
`;
}

function testCase({ name }: ReportedSubject, entry: Entry): Markup {
  const { clause, status } = entry;
  const title = `${clause.id}: ${clause.rule}`;
  const head = markup`<testcase classname="${name}" name="${title}"`;
  if (status === "kept") return markup`${head}/>\n`;
  const message = `${statuses[status].label}: ${status === "broken" ? clause.rule : describeFinding(entry)}`;
  if (statuses[status].isFailure)
    return markup`${head}><failure message="${message}" type="${status}">${describeFailures(entry)}</failure></testcase>\n`;
  return markup`${head}><skipped message="${message}"/></testcase>\n`;
}
