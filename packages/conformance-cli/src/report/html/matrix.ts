import type { ClauseText } from "@fullstop/conformance";
import {
  countClaimed,
  entriesOf,
  groupByFamily,
  findingOf,
  type Report,
  type ReportedSubject,
  statuses,
  statusNames,
  countByStatus,
} from "@fullstop/conformance/report";
import { type Markup, markup } from "../markup.ts";
import { panel } from "./panel.ts";

/** More subjects than this are told by columns as narrow as a mark, with their names upright. */
const maxWideColumns = 10;

/** A row for each clause, a column for each subject, a summary above them and one for each family. */
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
</thead>
${groupByFamily(clauses).map(([family, of]) => familyRows(family, of, subjects))}</table>
</div>`;

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
  return markup`<td class="cell ${finding.status}"><details name="cell"><summary aria-label="${label}: ${clause.id}, ${subject.name}" title="${label}">${mark}</summary>
${panel({ ...finding, clause }, subject)}</details></td>
`;
}

/** How many of each status, and how they share the whole. */
function statusSummary(subject: ReportedSubject, clauses: readonly ClauseText[]): Markup {
  const counts = countByStatus(entriesOf(subject, clauses));
  const there = statusNames.filter((status) => counts[status] > 0);
  return markup`<td><span class="bar" aria-hidden="true">${there.map((status) => markup`<i class="${status}" style="flex-grow:${counts[status]}"></i>`)}</span>
<span class="counts">${there.map((status) => markup`<span title="${statuses[status].label}"><span aria-hidden="true">${statuses[status].mark}</span>${counts[status]}<span class="unseen"> ${statuses[status].label} </span></span>`)}</span></td>`;
}

/** Of a family: how many are kept of those that were asked and are claimed. */
function keptShare(subject: ReportedSubject, clauses: readonly ClauseText[]): Markup {
  const counts = countByStatus(entriesOf(subject, clauses));
  const asked = countClaimed(counts);
  return markup`<td${counts.kept < asked ? markup` class="short"` : ""}>${asked === 0 ? "" : `${counts.kept}/${asked}`}</td>`;
}
