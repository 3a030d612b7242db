import {
  countByStatus,
  describeFailures,
  describeFinding,
  describeLevels,
  type Entry,
  entriesOf,
  isFailure,
  type Report,
  type ReportedSubject,
  statuses,
} from "@fullstop/conformance/report";
import { type Markup, markup } from "./markup.ts";

/**
 * JUnit XML: a test suite for each subject, a test case for each clause. A clause that was not
 * run, is not asked or claimed, or only should be kept and is broken, is skipped with a message.
 */
export function junit(report: Report): string {
  const suites = report.subjects.map((subject) => testSuite(subject, report));
  return `<?xml version="1.0" encoding="UTF-8"?>\n${markup`<testsuites name="conformance">\n${suites}</testsuites>\n`.markup}`;
}

function testSuite(subject: ReportedSubject, report: Report): Markup {
  const { suite, at, clauses } = report;
  const entries = entriesOf(subject, clauses);
  const failures = entries.filter((entry) => isFailure(entry, report)).length;
  const skipped = entries.length - failures - countByStatus(entries).kept;
  const properties = Object.entries({
    suite,
    wire: subject.wire,
    kept: describeLevels(entries),
    ...subject.versions,
    ...(subject.command && { command: subject.command }),
  });
  return markup`<testsuite name="${subject.name}" timestamp="${at.replace(/\.\d+Z$/, "")}" tests="${entries.length}" failures="${failures}" errors="0" skipped="${skipped}">
<properties>
${properties.map(([name, value]) => markup`<property name="${name}" value="${value}"/>\n`)}</properties>
${entries.map((entry) => testCase(subject, entry, report))}</testsuite>
`;
}

function testCase({ name }: ReportedSubject, entry: Entry, report: Report): Markup {
  const { clause, status, reason } = entry;
  const level = clause.level === "should" ? " (should)" : "";
  const head = markup`<testcase classname="${name}" name="${clause.id}${level}: ${clause.rule}"`;
  if (status === "kept") return markup`${head}/>\n`;
  const why = status === "broken" ? clause.rule : describeFinding(entry);
  const message = `${statuses[status].label}: ${why}`;
  const note = status === "broken" && reason !== undefined ? `${reason}\n` : "";
  if (isFailure(entry, report))
    return markup`${head}><failure message="${message}" type="${status}">${note}${describeFailures(entry)}</failure></testcase>\n`;
  const output =
    status === "broken" ? markup`<system-out>${describeFailures(entry)}</system-out>` : "";
  return markup`${head}><skipped message="${message}"/>${output}</testcase>\n`;
}
