import { type ClauseText, familyOf } from "../clause.ts";
import type { Check } from "../harness/check.ts";
import type { Verdict } from "../judge.ts";

/**
 * The result for one clause and one subject. `expected-failure`: broken, and listed as an expected
 * failure; `stale`: listed as an expected failure, but not broken.
 */
export type Status = "kept" | "broken" | "not-claimed" | "not-run" | "expected-failure" | "stale";

/** The styles that a terminal report uses. */
export type Color = "green" | "red" | "yellow" | "cyan" | "dim" | "bold";

/** How reports show a status. */
export interface StatusText {
  /** One character, for a cell. */
  readonly mark: string;
  readonly label: string;
  readonly meaning: string;
  readonly color: Color;
  /** Whether one finding with this status makes the whole report fail. */
  readonly isFailure: boolean;
}

/** How each status is shown, in the order of the legend. */
export const statuses: Readonly<Record<Status, StatusText>> = {
  kept: {
    mark: "✔",
    label: "kept",
    meaning: "every check passed",
    color: "green",
    isFailure: false,
  },
  broken: {
    mark: "✖",
    label: "broken",
    meaning: "at least one check failed",
    color: "red",
    isFailure: true,
  },
  stale: {
    mark: "!",
    label: "stale",
    meaning: "listed as an expected failure, but not broken",
    color: "red",
    isFailure: true,
  },
  "expected-failure": {
    mark: "≈",
    label: "expected failure",
    meaning: "broken, and listed as an expected failure",
    color: "yellow",
    isFailure: false,
  },
  "not-claimed": {
    mark: "–",
    label: "not claimed",
    meaning: "the subject or its protocol does not promise it",
    color: "cyan",
    isFailure: false,
  },
  "not-run": { mark: "·", label: "not run", meaning: "not asked", color: "dim", isFailure: false },
};

/** All statuses, in the order of the legend. */
export const statusNames: readonly Status[] = Object.keys(statuses) as Status[];

/** One cell of a report. */
export interface Finding {
  readonly status: Status;
  /** How many checks ran. */
  readonly checks: number;
  /** The first failed checks. */
  readonly broken: readonly Check[];
  /** `broken` has every failed check, and reporters show all of them. */
  readonly all?: true;
  /** Why it is not claimed, was not run, or is expected to fail, or what of it was not judged. */
  readonly reason?: string;
}

/** One judged subject and its findings. */
export interface ReportedSubject {
  readonly name: string;
  /** The name of the wire. */
  readonly wire: string;
  /** Packages or programs, and their versions. */
  readonly versions?: Readonly<Record<string, string>>;
  /** The command that judges it again. */
  readonly command?: string;
  /** By the id of the clause. A clause that is not listed was not run. */
  readonly findings: Readonly<Record<string, Finding>>;
}

/** The result of a run of the suite: plain JSON, with everything that reporters need. */
export interface Report {
  /** The version of the suite. */
  readonly suite: string;
  /** When the report was made, as ISO 8601. */
  readonly at: string;
  /** The clauses that were asked, in order. */
  readonly clauses: readonly ClauseText[];
  readonly subjects: readonly ReportedSubject[];
}

/** The finding of a clause that a report does not list. */
const notRunFinding: Finding = { status: "not-run", checks: 0, broken: [] };

/** The finding of one clause and one subject. */
export const findingOf = ({ findings }: ReportedSubject, clause: string): Finding =>
  (Object.hasOwn(findings, clause) ? findings[clause] : undefined) ?? notRunFinding;

/**
 * Converts a verdict to a finding. `expected` is the reason if the clause is expected to be broken.
 */
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
    reason: `listed as an expected failure, but ${statuses[status].label}`,
  };
}

/** A finding together with its clause. */
export interface Entry extends Finding {
  readonly clause: ClauseText;
}
/** The findings of a subject for these clauses, in their order. */
export const entriesOf = (
  subject: ReportedSubject,
  clauses: readonly ClauseText[],
): readonly Entry[] => clauses.map((clause) => ({ clause, ...findingOf(subject, clause.id) }));

/** Whether a clause is broken unexpectedly, or is expected to be broken and is not. */
export const hasFailures = ({ clauses, subjects }: Report): boolean =>
  subjects.some((subject) =>
    entriesOf(subject, clauses).some(({ status }) => statuses[status].isFailure),
  );

/** How many entries have each status. */
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

/** How many clauses were asked and are claimed. */
export const countClaimed = (counts: Readonly<Record<Status, number>>): number =>
  counts.kept + counts.broken + counts.stale + counts["expected-failure"];

/** The clauses by family. Families and clauses keep their order. */
export const groupByFamily = <Of extends ClauseText>(
  clauses: readonly Of[],
): readonly (readonly [family: string, clauses: readonly Of[]])[] => [
  ...Map.groupBy(clauses, ({ id }) => familyOf(id)),
];
