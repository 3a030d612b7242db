import type { ClauseText } from "@fullstop/conformance";
import {
  countByLevel,
  describeCheckRows,
  describeFinding,
  describeShares,
  type Entry,
  entriesOf,
  findingOf,
  formatCheckCount,
  groupByFamily,
  type LevelCount,
  linkReferences,
  type Report,
  type ReportedCheck,
  type ReportedSubject,
  type Status,
  shownChecks,
  statuses,
  statusNames,
} from "@fullstop/conformance/report";
import { type Markup, markup } from "../markup.ts";

/** With more subjects, columns are as narrow as a mark and names are vertical. */
const maxWideColumns = 10;

/** A row for each clause, a column for each subject, and a summary of all and of each family. */
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

/** The findings that are shown as one: of a status, and of a level if they are broken. */
function partsOf(entries: readonly Entry[]) {
  const of = (status: Status, level?: ClauseText["level"]) => ({
    className: `${status}${level === "should" ? " advice" : ""}`,
    label: `${statuses[status].label}${level === "should" ? " (should)" : ""}`,
    mark: statuses[status].mark,
    times: entries.filter(
      (entry) => entry.status === status && (level ?? entry.clause.level) === entry.clause.level,
    ).length,
  });
  return statusNames
    .flatMap((status) =>
      status === "broken" ? levels.map((level) => of(status, level)) : [of(status)],
    )
    .filter(({ times }) => times > 0);
}

/** How many findings have each status, as a bar and as numbers. */
function statusSummary(subject: ReportedSubject, clauses: readonly ClauseText[]): Markup {
  const parts = partsOf(entriesOf(subject, clauses));
  return markup`<td><span class="bar" aria-hidden="true">${parts.map(({ className, times }) => markup`<i class="${className}" style="flex-grow:${times}"></i>`)}</span>
<span class="counts">${parts.map(({ className, label, mark, times }) => markup`<span class="${className}" title="${label}"><span aria-hidden="true">${mark}</span>${times}<span class="unseen"> ${label} </span></span>`)}</span></td>`;
}

/** `kept/asked` of the levels of a family, without the clauses that are not asked or claimed. */
function keptShare(subject: ReportedSubject, clauses: readonly ClauseText[]): Markup {
  const entries = entriesOf(subject, clauses);
  const { must, should } = countByLevel(entries);
  const isShort = ({ kept, claimed }: LevelCount): boolean => kept < claimed;
  const lacks = isShort(should) ? markup` class="short advice"` : "";
  return markup`<td${isShort(must) ? markup` class="short"` : lacks}>${describeShares(entries)}</td>`;
}

/** The content of an opened cell: the rule, its reason, and the failed checks. */
function panel(entry: Entry, { name }: ReportedSubject): Markup {
  const { clause, status, checks, broken } = entry;
  const { mark, label } = statuses[status];
  const shown = shownChecks(entry);
  return markup`<div class="panel">
<p class="head"><span class="mark ${status}">${mark}</span> <b>${label}</b> <span>${clause.id}, ${name}</span></p>
<p class="rule">${clause.rule}${clause.level === "should" ? markup` <small>should</small>` : ""}</p>
<p>Because: ${linkReferences(clause.references).map(({ text, url }) => (url === undefined ? markup`${text}` : markup`<a href="${url}" rel="noreferrer">${text}</a>`))}</p>
<p>${entry.reason === undefined ? "" : `${describeFinding(entry)}. `}${checks === 0 ? "" : `${formatCheckCount(checks)}${describeShown(broken.length, shown.length)}`}</p>
${shown.map((check) => checkDetails(clause.id, check))}</div>`;
}

function describeShown(broken: number, shown: number): string {
  if (broken === 0) return ".";
  if (broken > shown) return `; the first ${shown} that failed:`;
  return broken === 1 ? "; one failed:" : `; ${broken} failed:`;
}

/** How the text of a row is marked up; as plain text by default. */
const rowMarkup: Readonly<Record<string, (text: string) => Markup>> = {
  severity: (text) => markup`<b class="severity">${text}</b>`,
  expected: (text) => markup`<pre>${text}</pre>`,
  actual: (text) => markup`<pre class="actual">${text}</pre>`,
  bytes: (text) => markup`<pre>${text}</pre>`,
  reply: (text) => markup`<pre>${text}</pre>`,
  request: (text) => markup`<pre>${text}</pre>`,
  output: (text) => markup`<pre>${text}</pre>`,
};

const checkDetails = (clause: string, check: ReportedCheck): Markup => markup`<dl>
${describeCheckRows(clause, check).map(({ label, text }) => markup`<dt>${label}</dt><dd>${rowMarkup[label]?.(text) ?? text}</dd>\n`)}</dl>
`;
