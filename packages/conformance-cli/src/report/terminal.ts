import type { ClauseText } from "@fullstop/conformance";
import {
  type Color,
  countByStatus,
  describeFailures,
  describeFinding,
  describeLevels,
  describeNotAsked,
  describeShares,
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
    ...subjects.flatMap((subject) => [
      summaryLine(subject, clauses),
      ...describeNotAsked(entriesOf(subject, clauses)).map((what): Line => [`  ${what}`]),
    ]),
  ];
  const painted = lines.map((line) =>
    line
      .map((segment) => (typeof segment === "string" ? segment : paint(...segment)))
      .join("")
      .trimEnd(),
  );
  return `${painted.join("\n")}\n`;
}

const worstFirst: readonly Status[] = [
  "broken",
  "stale",
  "expected-failure",
  "kept",
  "not-claimed",
  "not-asked",
  "not-run",
];
/** A text of a subject, on one line and without codes for the terminal. */
export const toOneLine = (name: string): string => escapeControls(name).replaceAll("\n", " ");

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
      ...cells.flatMap(({ color, text }, index) => column(color, text, index)),
    ]),
  ];
}

/** The colour of a status. A broken clause that only should be kept is not red. */
const colorOf = (status: Status, entries: readonly Entry[]): Color =>
  status === "broken" &&
  entries.every((entry) => entry.status !== status || entry.clause.level === "should")
    ? "yellow"
    : statuses[status].color;

/** `kept/asked` of the levels of a family, in the colour of the worst status that occurs. */
function familyCell(entries: readonly Entry[]): { readonly color: Color; readonly text: string } {
  const counts = countByStatus(entries);
  const status = worstFirst.find((one) => counts[one] > 0) ?? "not-run";
  const { mark, label } = statuses[status];
  const shares = describeShares(entries);
  return { color: colorOf(status, entries), text: `${mark} ${shares === "" ? label : shares}` };
}

const isDamaged = ({ broken }: Entry): boolean =>
  broken.some(({ severity }) => severity === "damaged");
/** What orders clauses of one status: damage first, then those that must be kept. */
const rankOf = (entry: Entry): number =>
  (isDamaged(entry) ? 0 : 2) + (entry.clause.level === "must" ? 0 : 1);

function detailLines(subject: ReportedSubject, clauses: readonly ClauseText[]): readonly Line[] {
  const entries = entriesOf(subject, clauses);
  return worstFirst.flatMap((status) =>
    entries
      .filter((entry) => entry.status === status)
      .toSorted((first, second) => rankOf(first) - rankOf(second))
      .flatMap((entry) => entryLines(subject, entry)),
  );
}

function entryLines({ name }: ReportedSubject, entry: Entry): readonly Line[] {
  const { clause, status, reason } = entry;
  const { mark, label } = statuses[status];
  const level = clause.level === "should" ? " (should)" : "";
  const head: Segment = [
    colorOf(status, [entry]),
    `${mark} ${toOneLine(name)}: ${clause.id}${level} is ${label}`,
  ];
  if (status === "broken") {
    const note = reason === undefined ? [] : [[escapeControls(reason)], []];
    return [[head, `. ${toOneLine(clause.rule)}`], [], ...note, [describeFailures(entry)], []];
  }
  return reason === undefined ? [] : [[head, `: ${describeFinding(entry)}`], []];
}

function summaryLine(subject: ReportedSubject, clauses: readonly ClauseText[]): Line {
  const entries = entriesOf(subject, clauses);
  const counts = countByStatus(entries);
  const parts = statusNames
    .filter((status) => counts[status] > 0)
    .flatMap(
      (status, index): Line => [
        index === 0 ? "" : ", ",
        [colorOf(status, entries), `${counts[status]} ${statuses[status].label}`],
      ],
    );
  const checks = entries.reduce((sum, entry) => sum + entry.checks, 0);
  const levels = describeLevels(entries);
  return [
    ["bold", toOneLine(subject.name)],
    levels === "" ? ": " : `: ${levels}; `,
    ...parts,
    ` (${formatCheckCount(checks)})`,
  ];
}
