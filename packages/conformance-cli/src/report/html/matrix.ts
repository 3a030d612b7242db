import type { ClauseText } from "@fullstop/conformance";
import {
  claimed,
  entriesOf,
  families,
  findingOf,
  type Report,
  type ReportedSubject,
  statuses,
  statusNames,
  tally,
} from "@fullstop/conformance/report";
import { type Markup, markup } from "../markup.ts";
import { panel } from "./panel.ts";

/** More subjects than this are told by columns as narrow as a mark, with their names upright. */
const wide = 10;

/** A row for each clause, a column for each subject, a summary above them and one for each family. */
export const matrix = ({
  clauses,
  subjects,
}: Report): Markup => markup`<div class="matrix${subjects.length > wide ? " narrow" : ""}" role="region" aria-label="Clauses and subjects" tabindex="0">
<table>
<thead>
<tr><th scope="col" class="corner">Clause</th>${subjects.map(
  ({ name, wire }) =>
    markup`<th scope="col"><span class="subject">${name}</span>${name === wire ? "" : markup`<small>${wire}</small>`}</th>`,
)}</tr>
<tr class="summary"><th scope="row">All ${clauses.length}</th>${subjects.map((subject) => summary(subject, clauses))}</tr>
</thead>
${families(clauses).map(([family, of]) => familyRows(family, of, subjects))}</table>
</div>`;

const familyRows = (
  family: string,
  clauses: readonly ClauseText[],
  subjects: readonly ReportedSubject[],
): Markup => markup`<tbody>
<tr class="family"><th scope="rowgroup">${family}</th>${subjects.map((subject) => share(subject, clauses))}</tr>
${clauses.map((clause) => row(clause, subjects))}</tbody>
`;

const row = (clause: ClauseText, subjects: readonly ReportedSubject[]): Markup => markup`<tr>
<th scope="row"><span class="id">${clause.id}</span>${clause.level === "should" ? markup` <small>should</small>` : ""}<span class="rule">${clause.rule}</span></th>
${subjects.map((subject) => cell(clause, subject))}</tr>
`;

function cell(clause: ClauseText, subject: ReportedSubject): Markup {
  const finding = findingOf(subject, clause.id);
  const { mark, label } = statuses[finding.status];
  return markup`<td class="cell ${finding.status}"><details name="cell"><summary aria-label="${label}: ${clause.id}, ${subject.name}" title="${label}">${mark}</summary>
${panel({ ...finding, clause }, subject)}</details></td>
`;
}

/** How many of each status, and how they share the whole. */
function summary(subject: ReportedSubject, clauses: readonly ClauseText[]): Markup {
  const counts = tally(entriesOf(subject, clauses));
  const there = statusNames.filter((status) => counts[status] > 0);
  return markup`<td><span class="bar" aria-hidden="true">${there.map((status) => markup`<i class="${status}" style="flex-grow:${counts[status]}"></i>`)}</span>
<span class="counts">${there.map((status) => markup`<span title="${statuses[status].label}"><span aria-hidden="true">${statuses[status].mark}</span>${counts[status]}<span class="unseen"> ${statuses[status].label} </span></span>`)}</span></td>`;
}

/** Of a family: how many are kept of those that were asked and are claimed. */
function share(subject: ReportedSubject, clauses: readonly ClauseText[]): Markup {
  const counts = tally(entriesOf(subject, clauses));
  const asked = claimed(counts);
  return markup`<td${counts.kept < asked ? markup` class="short"` : ""}>${asked === 0 ? "" : `${counts.kept}/${asked}`}</td>`;
}
