import { type Check, type ClauseText, maxKeptChecks } from "../clause.ts";
import type { Verdict } from "../judge.ts";
import { escapeControls } from "./escape.ts";
import type { Finding } from "./report.ts";
import { statuses } from "./status.ts";

/** The failed checks that a report shows: all if all were requested, otherwise the first five. */
export const shownChecks = ({ broken, all }: Pick<Finding, "broken" | "all">): readonly Check[] =>
  all ? broken : broken.slice(0, 5);
const indentLines = (text: string): string => escapeControls(text).replaceAll("\n", "\n    ");

const describeCheck = ({ at, expected, actual, bytes, output }: Check): string =>
  [
    `  at        ${indentLines(at)}`,
    `  expected  ${indentLines(expected)}`,
    `  actual    ${indentLines(actual)}`,
    ...(bytes === undefined ? [] : [`  bytes     ${indentLines(bytes)}`]),
    ...(output === undefined ? [] : [`  output    ${indentLines(output)}`]),
  ].join("\n");

/** Describes the failed checks of a broken clause for a person: the sources, then each shown check. */
export function describeFailures({
  clause,
  ...found
}: Pick<Finding, "broken" | "all"> & { readonly clause: ClauseText }): string {
  const shown = shownChecks(found);
  const left = found.broken.length - shown.length;
  const more =
    left > 0 ? [`  and ${found.broken.length < maxKeptChecks ? "" : "at least "}${left} more`] : [];
  return [`because ${escapeControls(clause.because)}`, ...shown.map(describeCheck), ...more].join(
    "\n\n",
  );
}

/** Describes a verdict for a person: the rule and, if it is broken, the first failed checks. */
export function report(verdict: Verdict): string {
  const { clause, status, checks, reason } = verdict;
  const head = `${clause.id} is ${statuses[status].label}: ${escapeControls(clause.rule)}`;
  if (status === "kept") return `${head} (${formatCheckCount(checks)})`;
  if (status === "not-claimed") return `${head} (${escapeControls(reason ?? "")})`;
  return `${head}\n\n${describeFailures(verdict)}`;
}

/** `1,204 checks` */
export const formatCheckCount = (checks: number): string =>
  `${checks.toLocaleString("en-US")} ${checks === 1 ? "check" : "checks"}`;

/** Why the clause is not claimed, was not run or is expected to fail; otherwise how many checks ran. */
export function describeFinding({ status, reason, checks }: Finding): string {
  if (reason !== undefined) return escapeControls(reason);
  return status === "not-run" ? statuses[status].meaning : formatCheckCount(checks);
}
