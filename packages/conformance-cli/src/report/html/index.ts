import { readFileSync } from "node:fs";
import {
  describeLevels,
  entriesOf,
  isFailure,
  type Report,
  type ReportedSubject,
  statuses,
  statusNames,
} from "@fullstop/conformance/report";
import { type Markup, markup } from "../markup.ts";
import { clauseMatrix } from "./matrix.ts";

/**
 * For light and dark, wide and narrow screens. An open cell is a sheet beside the matrix, or below
 * it if the screen is narrow. The files are packed beside this one.
 */
const readStyles = (): Markup => ({
  markup: ["1-matrix", "2-cells"]
    .map((name) => readFileSync(new URL(`styles/${name}.css`, import.meta.url), "utf8"))
    .join(""),
});

/** Summarizes a report in one sentence. Ignores subjects that were not asked anything. */
function createHeadline(report: Report): string {
  const asked = report.subjects
    .map(({ name, ...subject }) => ({
      name,
      entries: entriesOf({ name, ...subject }, report.clauses),
    }))
    .filter(({ entries }) => describeLevels(entries) !== "");
  const [only, ...others] = asked;
  if (only === undefined) return "Nothing was asked";
  if (others.length === 0) return `${only.name} keeps ${describeLevels(only.entries)}`;
  const failing = asked.filter(({ entries }) => entries.some((entry) => isFailure(entry, report)));
  return `${asked.length - failing.length} of ${asked.length} subjects keep all that they must`;
}

/** A single HTML file without scripts or requests. Each cell of the matrix opens. */
export function html(report: Report): string {
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<link rel="icon" href="data:,">
<title>${createHeadline(report)}</title>
<style>${readStyles()}</style>
</head>
<body>
<header>
<h1>${createHeadline(report)}</h1>
<p>${report.clauses.length} clauses asked with @fullstop/conformance ${report.suite}, <time datetime="${report.at}">${formatTime(report.at)}</time>.
Open a cell to see the rule, its reason, and what was sent, expected and read.</p>
<ul class="legend">${statusNames
    .filter((status) => legendStatuses(report).has(status))
    .map(
      (status) =>
        markup`<li><span class="mark ${status}">${statuses[status].mark}</span><span><b>${statuses[status].label}</b> ${statuses[status].meaning}</span></li>\n`,
    )}</ul>
</header>
<main>
${clauseMatrix(report)}
<h2>Subjects</h2>
<dl class="subjects">${report.subjects.map(describeSubject)}</dl>
</main>
</body>
</html>
`.markup;
}

const legendStatuses = ({ clauses, subjects }: Report): ReadonlySet<string> =>
  new Set([
    "kept",
    "broken",
    ...subjects.flatMap((subject) => entriesOf(subject, clauses).map(({ status }) => status)),
  ]);

const formatTime = (at: string): string => `${at.slice(0, 10)} ${at.slice(11, 16)} UTC`;

const describeSubject = ({
  name,
  wire,
  versions = {},
  command,
}: ReportedSubject): Markup => markup`<dt>${name}</dt>
<dd>Wire: ${wire}${Object.entries(versions).map(([what, version]) => markup`, ${what} ${version}`)}${
  command === undefined ? "" : markup`<pre><code>${command}</code></pre>`
}</dd>
`;
