import type { ClauseText } from "@fullstop/conformance";
import {
  countByLevel,
  countByStatus,
  countClaimed,
  entriesOf,
  findingOf,
  groupByFamily,
  type Report,
  type ReportedSubject,
  statuses,
  statusNames,
} from "@fullstop/conformance/report";
import { type Markup, markup } from "../markup.ts";
import { panel } from "./panel.ts";

/** With more subjects, columns are as narrow as a mark and names are vertical. */
const maxWideColumns = 10;

/**
 * A row for each clause, a column for each subject, a summary above them and one for each family.
 */
export const clauseMatrix = ({
  clauses,
  subjects,
}: Report): Markup => markup`<div class="matrix${subjects.length > maxWideColumns ? " narrow" : ""}" role="region" aria-label="Clauses and subjects" tabindex="0">
<table>
<thead>
<tr><th scope="col" class="corner">Clause</th>${subjects.map(
  ({ name, wire }) =>
    markup`<th scope="col"><span class="subject">${name}</span>${name === wire ? "" : markup`<small>${wire}</small>`}</th>`,
)}</tr>
<tr class="summary"><th scope="row">All ${clauses.length}</th>${subjects.map((subject) => statusSummary(subject, clauses))}</tr>
${levels.map((level) => levelRow(level, { clauses, subjects }))}</thead>
${groupByFamily(clauses).map(([family, members]) => familyRows(family, members, subjects))}</table>
</div>`;

const levels: readonly ClauseText["level"][] = ["must", "should"];

/** How many of the clauses that must, or should, be kept each subject keeps. */
const levelRow = (
  level: ClauseText["level"],
  { clauses, subjects }: Pick<Report, "clauses" | "subjects">,
): Markup => markup`<tr class="level"><th scope="row">${level} be kept</th>${subjects.map(
  (subject) => {
    const { kept, claimed } = countByLevel(entriesOf(subject, clauses))[level];
    return markup`<td>${claimed === 0 ? "–" : `${kept} of ${claimed}`}</td>`;
  },
)}</tr>
`;

const familyRows = (
  family: string,
  clauses: readonly ClauseText[],
  subjects: readonly ReportedSubject[],
): Markup => markup`<tbody>
<tr class="family"><th scope="rowgroup">${family}</th>${subjects.map((subject) => keptShare(subject, clauses))}</tr>
${clauses.map((clause) => clauseRow(clause, subjects))}</tbody>
`;

const clauseRow = (clause: ClauseText, subjects: readonly ReportedSubject[]): Markup => markup`<tr>
<th scope="row"><span class="id">${clause.id}</span>${clause.level === "should" ? markup` <small>should</small>` : ""}<span class="rule">${clause.rule}</span></th>
${subjects.map((subject) => clauseCell(clause, subject))}</tr>
`;

function clauseCell(clause: ClauseText, subject: ReportedSubject): Markup {
  const finding = findingOf(subject, clause.id);
  const { mark, label } = statuses[finding.status];
  const isAdvice = finding.status === "broken" && clause.level === "should";
  return markup`<td class="cell ${finding.status}${isAdvice ? " advice" : ""}"><details name="cell"><summary aria-label="${label}: ${clause.id}, ${subject.name}" title="${label}">${mark}</summary>
${panel({ ...finding, clause }, subject)}</details></td>
`;
}

/** How many findings have each status, as a bar and as numbers. */
function statusSummary(subject: ReportedSubject, clauses: readonly ClauseText[]): Markup {
  const counts = countByStatus(entriesOf(subject, clauses));
  const present = statusNames.filter((status) => counts[status] > 0);
  return markup`<td><span class="bar" aria-hidden="true">${present.map((status) => markup`<i class="${status}" style="flex-grow:${counts[status]}"></i>`)}</span>
<span class="counts">${present.map((status) => markup`<span title="${statuses[status].label}"><span aria-hidden="true">${statuses[status].mark}</span>${counts[status]}<span class="unseen"> ${statuses[status].label} </span></span>`)}</span></td>`;
}

/** `kept/asked` of a family, without the clauses that are not claimed. */
function keptShare(subject: ReportedSubject, clauses: readonly ClauseText[]): Markup {
  const counts = countByStatus(entriesOf(subject, clauses));
  const asked = countClaimed(counts);
  return markup`<td${counts.kept < asked ? markup` class="short"` : ""}>${asked === 0 ? "" : `${counts.kept}/${asked}`}</td>`;
}
