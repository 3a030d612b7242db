import type { ClauseText } from "@fullstop/conformance";
import {
  beside,
  type Color,
  checksText,
  claimed,
  counted,
  type Entry,
  entriesOf,
  families,
  type Report,
  type ReportedSubject,
  type Status,
  statuses,
  statusNames,
  tally,
  visible,
} from "@fullstop/conformance/report";

/** Gives the text a colour, or does not. */
export type Paint = (color: Color, text: string) => string;

/** A piece of a line, with the colour that it may have. */
type Piece = string | readonly [color: Color, text: string];
type Line = readonly Piece[];

/** A matrix of families and subjects, what is broken below it, and a line for each subject at the end. */
export function terminal({ clauses, subjects }: Report, paint: Paint = (_, text) => text): string {
  const lines = [
    ...matrix(clauses, subjects),
    [],
    ...subjects.flatMap((subject) => details(subject, clauses)),
    ...subjects.map((subject) => closing(subject, clauses)),
  ];
  const painted = lines.map((line) =>
    line
      .map((piece) => (typeof piece === "string" ? piece : paint(...piece)))
      .join("")
      .trimEnd(),
  );
  return `${painted.join("\n")}\n`;
}

/** The statuses, the worst first. */
const worstFirst: readonly Status[] = [
  "broken",
  "stale",
  "expected-failure",
  "kept",
  "not-claimed",
  "not-run",
];
const said = (name: string): string => visible(name).replaceAll("\n", " ");

function matrix(
  clauses: readonly ClauseText[],
  subjects: readonly ReportedSubject[],
): readonly Line[] {
  const rows = families(clauses).map(([family, of]) => ({
    family,
    cells: subjects.map((subject) => cell(entriesOf(subject, of))),
  }));
  const first = Math.max(...rows.map(({ family }) => family.length)) + 2;
  const widths = subjects.map(
    ({ name }, n) =>
      Math.max(said(name).length, ...rows.map(({ cells }) => cells[n]?.text.length ?? 0)) + 2,
  );
  const column = (color: Color, text: string, n: number): Line => [
    [color, text],
    " ".repeat((widths[n] ?? 0) - text.length),
  ];
  return [
    [" ".repeat(first + 2), ...subjects.flatMap(({ name }, n) => column("bold", said(name), n))],
    ...rows.map(({ family, cells }) => [
      `  ${family.padEnd(first)}`,
      ...cells.flatMap(({ status, text }, n) => column(statuses[status].color, text, n)),
    ]),
  ];
}

/** How many are kept, of those that were asked and are claimed. */
function cell(entries: readonly Entry[]): { readonly status: Status; readonly text: string } {
  const counts = tally(entries);
  const status = worstFirst.find((one) => counts[one] > 0) ?? "not-run";
  const { mark, label } = statuses[status];
  const asked = claimed(counts);
  return { status, text: asked === 0 ? `${mark} ${label}` : `${mark} ${counts.kept}/${asked}` };
}

function details(subject: ReportedSubject, clauses: readonly ClauseText[]): readonly Line[] {
  const entries = entriesOf(subject, clauses);
  return worstFirst.flatMap((status) =>
    entries.filter((entry) => entry.status === status).flatMap((entry) => detail(subject, entry)),
  );
}

function detail({ name }: ReportedSubject, entry: Entry): readonly Line[] {
  const { clause, status } = entry;
  const { mark, label, color } = statuses[status];
  const head: Piece = [color, `${mark} ${said(name)}: ${clause.id} is ${label}`];
  if (status === "broken") return [[head, `. ${said(clause.rule)}`], [], [checksText(entry)], []];
  return status === "kept" || entry.reason === undefined ? [] : [[head, `: ${beside(entry)}`], []];
}

function closing(subject: ReportedSubject, clauses: readonly ClauseText[]): Line {
  const entries = entriesOf(subject, clauses);
  const counts = tally(entries);
  const parts = statusNames
    .filter((status) => counts[status] > 0)
    .flatMap(
      (status, n): Line => [
        n === 0 ? "" : ", ",
        [statuses[status].color, `${counts[status]} ${statuses[status].label}`],
      ],
    );
  const checks = entries.reduce((sum, entry) => sum + entry.checks, 0);
  return [["bold", said(subject.name)], ": ", ...parts, ` (${counted(checks)})`];
}
