import type { ClauseText } from "../clause.ts";
import type { Verdict } from "../judge.ts";
import { familyOf } from "../select.ts";
import type { Finding, Report, ReportedSubject, Status } from "./report.ts";
import { statuses } from "./status.ts";

/** A clause that a report has no finding for was not run. */
const notRunFinding: Finding = { status: "not-run", checks: 0, broken: [] };

/** What a report says of a clause and a subject. */
export const findingOf = ({ findings }: ReportedSubject, clause: string): Finding =>
  (Object.hasOwn(findings, clause) ? findings[clause] : undefined) ?? notRunFinding;

/** A verdict as a finding. `expected` is why it is expected to be broken. */
export function finding(
  { status, checks, broken, all, reason }: Verdict,
  expected?: string | undefined,
): Finding {
  const found: Finding = {
    status,
    checks,
    broken,
    ...(all && { all }),
    ...(reason === undefined ? {} : { reason }),
  };
  if (expected === undefined) return found;
  if (status === "broken") return { ...found, status: "expected-failure", reason: expected };
  return {
    ...found,
    status: "stale",
    reason: `listed as an expected failure, and ${statuses[status].label}`,
  };
}

/** A clause, and what was found of it. */
export interface Entry extends Finding {
  readonly clause: ClauseText;
}
export const entriesOf = (
  subject: ReportedSubject,
  clauses: readonly ClauseText[],
): readonly Entry[] => clauses.map((clause) => ({ clause, ...findingOf(subject, clause.id) }));

/** Whether anything in it is broken that was not expected to be, or expected to be and is not. */
export const hasFailures = ({ clauses, subjects }: Report): boolean =>
  subjects.some((subject) =>
    entriesOf(subject, clauses).some(({ status }) => statuses[status].isFailure),
  );

/** How many of each status there are. */
export function countByStatus(entries: readonly Entry[]): Readonly<Record<Status, number>> {
  const counts: Record<Status, number> = {
    kept: 0,
    broken: 0,
    stale: 0,
    "expected-failure": 0,
    "not-claimed": 0,
    "not-run": 0,
  };
  for (const { status } of entries) counts[status]++;
  return counts;
}

/** Of so many: those that were asked, and are claimed. */
export const countClaimed = (counts: Readonly<Record<Status, number>>): number =>
  counts.kept + counts.broken + counts.stale + counts["expected-failure"];

/** The clauses by family, both in order. */
export const groupByFamily = <Of extends ClauseText>(
  clauses: readonly Of[],
): readonly (readonly [family: string, clauses: readonly Of[]])[] => [
  ...Map.groupBy(clauses, ({ id }) => familyOf(id)),
];
