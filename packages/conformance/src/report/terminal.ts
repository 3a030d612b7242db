import { styleText } from "node:util";
import type { ClauseText } from "../clause.ts";
import { claimed, type Entry, entriesOf, families, tally } from "./finding.ts";
import { visible } from "./markup.ts";
import type { Report, ReportedSubject, Status } from "./report.ts";
import { statuses, statusNames } from "./status.ts";
import { beside, counted, proofsText } from "./verdict.ts";

/** A matrix of families and subjects, what is broken below it, and a line for each subject at the end. */
export function terminal({ clauses, subjects }: Report): string {
  const lines = [
    ...matrix(clauses, subjects),
    "",
    ...subjects.flatMap((subject) => details(subject, clauses)),
    ...subjects.map((subject) => closing(subject, clauses)),
  ];
  return `${lines.join("\n")}\n`;
}

/** The statuses, the worst first. */
const worstFirst: readonly Status[] = ["broken", "stale", "expected-failure", "kept", "not-claimed", "not-run"];
const said = (name: string): string => visible(name).replaceAll("\n", " ");

type Format = Parameters<typeof styleText>[0];
const padded = (format: Format, text: string, width = 0): string => styleText(format, text) + " ".repeat(width - text.length);

function matrix(clauses: readonly ClauseText[], subjects: readonly ReportedSubject[]): readonly string[] {
  const rows = families(clauses).map(([family, of]) => ({ family, cells: subjects.map((subject) => cell(entriesOf(subject, of))) }));
  const first = Math.max(...rows.map(({ family }) => family.length)) + 2;
  const widths = subjects.map(({ name }, n) => Math.max(said(name).length, ...rows.map(({ cells }) => cells[n]?.text.length ?? 0)) + 2);
  const head = subjects.map(({ name }, n) => padded("bold", said(name), widths[n]));
  return [
    `  ${"".padEnd(first)}${head.join("")}`.trimEnd(),
    ...rows.map(({ family, cells }) => {
      const painted = cells.map(({ status, text }, n) => padded(statuses[status].color, text, widths[n]));
      return `  ${family.padEnd(first)}${painted.join("")}`.trimEnd();
    }),
  ];
}

/** How many are kept, of those that were asked and are claimed. */
function cell(entries: readonly Entry[]): { readonly status: Status; readonly text: string } {
  const counts = tally(entries);
  const status = worstFirst.find((one) => counts[one] > 0) ?? "not-run";
  const asked = claimed(counts);
  return {
    status,
    text: asked === 0 ? `${statuses[status].mark} ${statuses[status].label}` : `${statuses[status].mark} ${counts.kept}/${asked}`,
  };
}

function details(subject: ReportedSubject, clauses: readonly ClauseText[]): readonly string[] {
  const entries = entriesOf(subject, clauses);
  return worstFirst.flatMap((status) => entries.filter((entry) => entry.status === status).flatMap((entry) => detail(subject, entry)));
}

function detail({ name }: ReportedSubject, entry: Entry): readonly string[] {
  const { clause, status } = entry;
  const { mark, label, color } = statuses[status];
  const head = styleText(color, `${mark} ${said(name)}: ${clause.id} is ${label}`);
  if (status === "broken") return [`${head}. ${said(clause.rule)}`, "", proofsText(entry), ""];
  return status === "kept" || entry.reason === undefined ? [] : [`${head}: ${beside(entry)}`, ""];
}

function closing(subject: ReportedSubject, clauses: readonly ClauseText[]): string {
  const entries = entriesOf(subject, clauses);
  const counts = tally(entries);
  const parts = statusNames
    .filter((status) => counts[status] > 0)
    .map((status) => styleText(statuses[status].color, `${counts[status]} ${statuses[status].label}`));
  const proofs = entries.reduce((sum, entry) => sum + entry.proofs, 0);
  return `${styleText("bold", said(subject.name))}: ${parts.join(", ")} (${counted(proofs)})`;
}
