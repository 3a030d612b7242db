import type { Check } from "@fullstop/conformance";
import {
  describeFinding,
  type Entry,
  formatCheckCount,
  linkReferences,
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
<p class="rule">${clause.rule}</p>
<p>Because: ${linkReferences(clause.references).map(({ text, url }) => (url === undefined ? markup`${text}` : markup`<a href="${url}" rel="noreferrer">${text}</a>`))}</p>
<p>${entry.reason === undefined ? "" : `${describeFinding(entry)}. `}${checks === 0 ? "" : `${formatCheckCount(checks)}${describeShown(broken.length, shown.length)}`}</p>
${shown.map(checkDetails)}</div>`;
}

function describeShown(broken: number, shown: number): string {
  if (broken === 0) return ".";
  if (broken > shown) return `; the first ${shown} that failed:`;
  return broken === 1 ? "; one failed:" : `; ${broken} failed:`;
}

const optionalRow = (label: string, text: string | undefined): Markup =>
  text === undefined ? markup`` : markup`<dt>${label}</dt><dd>${text}</dd>\n`;

const checkDetails = (check: Check): Markup => {
  const { at, id, severity, expected, actual, bytes, output } = check;
  return markup`<dl>
<dt>at</dt><dd>${at}</dd>
${optionalRow("id", id)}${optionalRow("severity", severity)}<dt>expected</dt><dd><pre>${expected}</pre></dd>
<dt>actual</dt><dd><pre class="actual">${actual}</pre></dd>
${bytes === undefined ? "" : markup`<dt>bytes</dt><dd><pre>${bytes}</pre></dd>`}
${output === undefined ? "" : markup`<dt>output</dt><dd><pre>${output}</pre></dd>`}
</dl>
`;
};
