import type { ClauseText } from "@fullstop/conformance";
import {
  type Color,
  countByStatus,
  countClaimed,
  describeFailures,
  describeFinding,
  type Entry,
  entriesOf,
  escapeControls,
  formatCheckCount,
  groupByFamily,
  type Report,
  type ReportedSubject,
  type Status,
  statuses,
  statusNames,
} from "@fullstop/conformance/report";

/** Returns the text in a colour, or unchanged. */
export type Paint = (color: Color, text: string) => string;

/** A part of a line, with an optional colour. */
type Segment = string | readonly [color: Color, text: string];
type Line = readonly Segment[];

/** A matrix of families and subjects, then the broken clauses, then one line for each subject. */
export function terminal({ clauses, subjects }: Report, paint: Paint = (_, text) => text): string {
  const lines = [
    ...familyMatrix(clauses, subjects),
    [],
    ...subjects.flatMap((subject) => detailLines(subject, clauses)),
    ...subjects.map((subject) => summaryLine(subject, clauses)),
  ];
  const painted = lines.map((line) =>
    line
      .map((segment) => (typeof segment === "string" ? segment : paint(...segment)))
      .join("")
      .trimEnd(),
  );
  return `${painted.join("\n")}\n`;
}

/** The statuses, worst first. */
const worstFirst: readonly Status[] = [
  "broken",
  "stale",
  "expected-failure",
  "kept",
  "not-claimed",
  "not-run",
];
const toOneLine = (name: string): string => escapeControls(name).replaceAll("\n", " ");

function familyMatrix(
  clauses: readonly ClauseText[],
  subjects: readonly ReportedSubject[],
): readonly Line[] {
  const rows = groupByFamily(clauses).map(([family, members]) => ({
    family,
    cells: subjects.map((subject) => familyCell(entriesOf(subject, members))),
  }));
  const firstWidth = Math.max(...rows.map(({ family }) => family.length)) + 2;
  const widths = subjects.map(
    ({ name }, index) =>
      Math.max(toOneLine(name).length, ...rows.map(({ cells }) => cells[index]?.text.length ?? 0)) +
      2,
  );
  const column = (color: Color, text: string, index: number): Line => [
    [color, text],
    " ".repeat((widths[index] ?? 0) - text.length),
  ];
  return [
    [
      " ".repeat(firstWidth + 2),
      ...subjects.flatMap(({ name }, index) => column("bold", toOneLine(name), index)),
    ],
    ...rows.map(({ family, cells }) => [
      `  ${family.padEnd(firstWidth)}`,
      ...cells.flatMap(({ status, text }, index) => column(statuses[status].color, text, index)),
    ]),
  ];
}

/** `kept/asked` of a family, with the worst status that occurs. */
function familyCell(entries: readonly Entry[]): { readonly status: Status; readonly text: string } {
  const counts = countByStatus(entries);
  const status = worstFirst.find((one) => counts[one] > 0) ?? "not-run";
  const { mark, label } = statuses[status];
  const asked = countClaimed(counts);
  return { status, text: asked === 0 ? `${mark} ${label}` : `${mark} ${counts.kept}/${asked}` };
}

function detailLines(subject: ReportedSubject, clauses: readonly ClauseText[]): readonly Line[] {
  const entries = entriesOf(subject, clauses);
  return worstFirst.flatMap((status) =>
    entries
      .filter((entry) => entry.status === status)
      .flatMap((entry) => entryLines(subject, entry)),
  );
}

function entryLines({ name }: ReportedSubject, entry: Entry): readonly Line[] {
  const { clause, status } = entry;
  const { mark, label, color } = statuses[status];
  const head: Segment = [color, `${mark} ${toOneLine(name)}: ${clause.id} is ${label}`];
  if (status === "broken")
    return [[head, `. ${toOneLine(clause.rule)}`], [], [describeFailures(entry)], []];
  return status === "kept" || entry.reason === undefined
    ? []
    : [[head, `: ${describeFinding(entry)}`], []];
}

function summaryLine(subject: ReportedSubject, clauses: readonly ClauseText[]): Line {
  const entries = entriesOf(subject, clauses);
  const counts = countByStatus(entries);
  const parts = statusNames
    .filter((status) => counts[status] > 0)
    .flatMap(
      (status, index): Line => [
        index === 0 ? "" : ", ",
        [statuses[status].color, `${counts[status]} ${statuses[status].label}`],
      ],
    );
  const checks = entries.reduce((sum, entry) => sum + entry.checks, 0);
  return [["bold", toOneLine(subject.name)], ": ", ...parts, ` (${formatCheckCount(checks)})`];
}
