import {
  describeCheckRows,
  describeFinding,
  type Entry,
  formatCheckCount,
  linkReferences,
  type ReportedCheck,
  type ReportedSubject,
  shownChecks,
  statuses,
} from "@fullstop/conformance/report";
import { type Markup, markup } from "../markup.ts";

/** The content of an opened cell: the rule, its reason, and the failed checks. */
export function panel(entry: Entry, { name }: ReportedSubject): Markup {
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
