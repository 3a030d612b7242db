import { type Check, type ClauseText, maxKeptChecks } from "../clause.ts";
import type { Verdict } from "../judge.ts";
import type { Finding } from "./report.ts";
import { statuses } from "./status.ts";
import { escapeControls } from "./escape.ts";

/** The failed checks that a person is shown: all where all were asked for, else the first few. */
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

/** Of what broke a clause the first few checks, for a person. */
export function describeFailures({
  clause,
  ...found
}: Pick<Finding, "broken" | "all"> & { readonly clause: ClauseText }): string {
  const shown = shownChecks(found);
  const left = found.broken.length - shown.length;
  const more =
    left > 0 ? [`  and ${found.broken.length < maxKeptChecks ? "" : "at least "}${left} more`] : [];
  return [`because ${escapeControls(clause.because)}`, ...shown.map(describeCheck), ...more].join("\n\n");
}

/** A verdict for a person: the rule, and of what broke it the first few checks. */
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

/** What stands beside a finding: why it is not claimed, or how much was tried. */
export const describeFinding = ({ status, reason, checks }: Finding): string =>
  reason === undefined
    ? status === "not-run"
      ? statuses[status].meaning
      : formatCheckCount(checks)
    : escapeControls(reason);
