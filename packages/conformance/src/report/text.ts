import type { ClauseText } from "../clause.ts";
import { maxKeptChecks } from "../harness/check.ts";
import { shortenMiddle, tryParseJson } from "../harness/json.ts";
import type { Verdict } from "../judge-clause.ts";
import type { Evidence, Reference, ReplySource } from "../reference.ts";
import { checkName } from "./finding.ts";
import { countByLevel, type Entry, type Finding, type ReportedCheck, statuses } from "./report.ts";

/** A piece of a sentence. */
export interface LinkedText {
  readonly text: string;
  /** What the text links to. */
  readonly url?: string;
}

/** The address that a reference links to: only `https:`, and no issue without an owner. */
export function urlOf(reference: Reference): string | undefined {
  if ("url" in reference) return reference.url.startsWith("https://") ? reference.url : undefined;
  const [repository = "", number] = reference.issue.split("#");
  return repository.includes("/") ? `https://github.com/${repository}/issues/${number}` : undefined;
}

const nameOf = (reference: Reference): LinkedText => {
  const text = "url" in reference ? reference.url : reference.issue;
  const url = urlOf(reference);
  return url === undefined ? { text } : { text, url };
};

/** References as a sentence with links: `owner/a#1, owner/b#2: what happened; https://…`. */
export const linkReferences = (references: readonly Reference[]): readonly LinkedText[] =>
  references.flatMap((reference, index) => {
    const isLast = index === references.length - 1;
    const note = reference.note === undefined ? "" : `: ${reference.note}`;
    const separator = reference.note === undefined ? ", " : "; ";
    return [nameOf(reference), { text: note + (isLast ? "" : separator) }];
  });

/** The same sentence as plain text. */
export const describeReferences = (references: readonly Reference[]): string =>
  linkReferences(references)
    .map(({ text }) => text)
    .join("");

/** How reports say what kind of evidence there is for a reply. */
export const evidenceLabels: Readonly<Record<Evidence, string>> = {
  documented: "documented",
  seen: "seen in public",
  made: "made by the suite, after",
};

/** What shows that a reply is sent, as plain text. */
const describeSource = ({ evidence, references }: ReplySource): string =>
  `${evidenceLabels[evidence]}: ${describeReferences(references)}`;

/** Characters that XML forbids, that control a terminal, or that change the direction of text. */
const controlCharacters =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the expression finds them
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069\ufeff\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** Writes invisible and control characters as escapes, as `\u001b`. Line feeds and tabs stay. */
export const escapeControls = (text: string): string =>
  text
    .replaceAll("\r\n", "\\r\n")
    .replace(controlCharacters, (char) =>
      char === "\r" ? "\\r" : `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
    );

/** The failed checks that a report shows: all if all were requested, otherwise the first five. */
export const shownChecks = ({
  broken,
  all,
}: Pick<Finding, "broken" | "all">): readonly ReportedCheck[] =>
  all ? broken : broken.slice(0, 5);
const withoutBlankLines = (text: string): string => text.replace(/(?:\r?\n){2,}/g, "\n").trimEnd();
const indentLines = (text: string): string => escapeControls(text).replaceAll("\n", "\n    ");

/** A reply or a request for a person: JSON is indented, the middle of a long text left out. */
export function formatBytes(bytes: string, max?: number | undefined): string {
  const value = tryParseJson(bytes);
  const isObject = typeof value === "object" && value !== null;
  return shortenMiddle((isObject ? JSON.stringify(value, null, 2) : bytes).trimEnd(), max);
}

/** How many characters of a reply or a request a text report shows. */
const maxTextChars = 800;

/** One line of a shown check. */
export interface CheckRow {
  readonly label: string;
  readonly text: string;
}

/** What reports show of a failed check, in their order. `max`: of a reply or a request. */
export function describeCheckRows(
  clause: string,
  check: ReportedCheck,
  max?: number | undefined,
): readonly CheckRow[] {
  const { at, severity, expected, actual, bytes, bytesOf = "bytes", source, output } = check;
  const rows: readonly (readonly [label: string, text: string | undefined])[] = [
    ["at", at],
    ["check", checkName(clause, check)],
    ["severity", severity],
    ["known", check.expectedFailure],
    ["expected", expected],
    ["actual", actual],
    [bytesOf, bytes === undefined || bytes === "" ? undefined : formatBytes(bytes, max)],
    ["source", source && describeSource(source)],
    ["output", output],
  ];
  return rows.flatMap(([label, text]) => (text === undefined ? [] : [{ label, text }]));
}

const describeCheck = (clause: string, check: ReportedCheck): string =>
  describeCheckRows(clause, check, maxTextChars)
    .map(({ label, text }) => `  ${label.padEnd(10)}${indentLines(withoutBlankLines(text))}`)
    .join("\n");

/** The failed checks of a broken clause for a person: the sources, then each shown check. */
export function describeFailures({
  clause,
  ...found
}: Pick<Finding, "broken" | "all"> & { readonly clause: ClauseText }): string {
  const shown = shownChecks(found);
  const left = found.broken.length - shown.length;
  const more =
    left > 0
      ? [`  and ${found.broken.length === maxKeptChecks ? "at least " : ""}${left} more`]
      : [];
  return [
    `because ${escapeControls(describeReferences(clause.references))}`,
    ...shown.map((check) => describeCheck(clause.id, check)),
    ...more,
  ].join("\n\n");
}

/** Describes a verdict for a person: the rule and, if it is broken, the first failed checks. */
export function report(verdict: Verdict): string {
  const { clause, status, checks, reason } = verdict;
  const head = `${clause.id} is ${statuses[status].label}: ${escapeControls(clause.rule)}`;
  if (status === "kept") {
    const note = reason === undefined ? "" : `; ${escapeControls(reason)}`;
    return `${head} (${formatCheckCount(checks)}${note})`;
  }
  if (status === "not-asked" || status === "not-claimed")
    return `${head} (${escapeControls(reason ?? "")})`;
  return `${head}\n\n${describeFailures(verdict)}`;
}

/** `1,204 checks` */
export const formatCheckCount = (checks: number): string =>
  `${checks.toLocaleString("en-US")} ${checks === 1 ? "check" : "checks"}`;

/** The reason of the finding if it has one; otherwise how many checks ran. */
export function describeFinding({ status, reason, checks }: Finding): string {
  if (reason !== undefined) return escapeControls(reason);
  return status === "not-run" ? statuses[status].meaning : formatCheckCount(checks);
}

/** `14 of 16 must, 3 of 4 should`: how many of the claimed clauses of each level are kept. */
export function describeLevels(entries: readonly Entry[]): string {
  const counts = countByLevel(entries);
  return (["must", "should"] as const)
    .filter((level) => counts[level].claimed > 0)
    .map((level) => `${counts[level].kept} of ${counts[level].claimed} ${level}`)
    .join(", ");
}

/** `` 34 clauses not asked in one piece: the wire has no `whole` ``: a line for each thing that was not asked. */
export function describeNotAsked(entries: readonly Pick<Finding, "notAsked">[]): readonly string[] {
  const all = entries.flatMap(({ notAsked = [] }) => notAsked);
  return [...Map.groupBy(all, (what) => what)].map(
    ([what, { length }]) => `${length} ${length === 1 ? "clause" : "clauses"} not asked ${what}`,
  );
}

/** `3/4, should 1/2`: the same for a cell, without the levels of which no clause is asked. */
export function describeShares(entries: readonly Entry[]): string {
  const counts = countByLevel(entries);
  const shares = { "": counts.must, "should ": counts.should };
  return Object.entries(shares)
    .filter(([, { claimed }]) => claimed > 0)
    .map(([level, { kept, claimed }]) => `${level}${kept}/${claimed}`)
    .join(", ");
}
