import { type ClauseText, familyOf, textForWire } from "../clause.ts";
import type { Check } from "../harness/check.ts";

/**
 * The result for one clause and one subject. `expected-failure`: broken, and all that failed is
 * listed as expected failures; `stale`: listed as an expected failure, but not broken.
 */
export type Status =
  | "kept"
  | "broken"
  | "not-asked"
  | "not-claimed"
  | "not-run"
  | "expected-failure"
  | "stale";

/** The styles that a terminal report uses. */
export type Color = "green" | "red" | "yellow" | "cyan" | "dim" | "bold";

/** How reports show a status. */
export interface StatusText {
  /** One character, for a cell. */
  readonly mark: string;
  readonly label: string;
  readonly meaning: string;
  readonly color: Color;
  /** When one finding with this status makes the whole report fail. */
  readonly fails: "always" | "if it must" | "never";
}

/** How each status is shown, in the order of the legend. */
export const statuses: Readonly<Record<Status, StatusText>> = {
  kept: {
    mark: "✔",
    label: "kept",
    meaning: "every check passed",
    color: "green",
    fails: "never",
  },
  broken: {
    mark: "✖",
    label: "broken",
    meaning: "at least one check failed",
    color: "red",
    fails: "if it must",
  },
  stale: {
    mark: "!",
    label: "stale",
    meaning: "listed as an expected failure, but not broken",
    color: "red",
    fails: "always",
  },
  "expected-failure": {
    mark: "≈",
    label: "expected failure",
    meaning: "broken, and listed as an expected failure",
    color: "yellow",
    fails: "never",
  },
  "not-asked": {
    mark: "–",
    label: "not asked",
    meaning: "nothing about this subject would follow; the reason is there",
    color: "cyan",
    fails: "never",
  },
  "not-claimed": {
    mark: "○",
    label: "not claimed",
    meaning: "the subject itself says that it does not keep it",
    color: "cyan",
    fails: "never",
  },
  "not-run": { mark: "·", label: "not run", meaning: "left out", color: "dim", fails: "never" },
};

/** All statuses, in the order of the legend. */
export const statusNames: readonly Status[] = Object.keys(statuses) as Status[];

/** A failed check in a report. */
export interface ReportedCheck extends Check {
  /** Why it is expected to fail. Absent if it is not listed, or its whole clause is. */
  readonly expectedFailure?: string;
}

/** One cell of a report. */
export interface Finding {
  readonly status: Status;
  /** How many checks ran. */
  readonly checks: number;
  /** The first failed checks: those that are not expected, then the damaging ones. */
  readonly broken: readonly ReportedCheck[];
  /** `broken` has every failed check, and reporters show all of them. */
  readonly all?: true;
  /** Why it is not asked or claimed, was not run, is expected to fail, or is stale; or what was not judged. */
  readonly reason?: string;
  /** What could not be asked, and why: `` in one piece: the wire has no `whole` ``. */
  readonly notAsked?: readonly string[];
}

/** One judged subject and its findings. */
export interface ReportedSubject {
  readonly name: string;
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
  readonly suite: string;
  /** When the report was made, as ISO 8601. */
  readonly at: string;
  /** The clauses that were asked, in order. */
  readonly clauses: readonly ClauseText[];
  readonly subjects: readonly ReportedSubject[];
  /** A broken clause that only should be kept makes the report fail, too. */
  readonly strict?: true;
}

/** The finding of a clause that a report does not list. */
const notRunFinding: Finding = { status: "not-run", checks: 0, broken: [] };

/** The finding of one clause and one subject. */
export const findingOf = ({ findings }: ReportedSubject, clause: string): Finding =>
  (Object.hasOwn(findings, clause) ? findings[clause] : undefined) ?? notRunFinding;

/** A finding together with its clause. */
export interface Entry extends Finding {
  readonly clause: ClauseText;
}
/** The findings of a subject for these clauses, with only the references about its protocol. */
export const entriesOf = (
  subject: ReportedSubject,
  clauses: readonly ClauseText[],
): readonly Entry[] =>
  clauses.map((clause) => ({
    clause: textForWire(clause, subject.wire),
    ...findingOf(subject, clause.id),
  }));

/** Whether a finding makes the report fail. */
export function isFailure({ status, clause }: Entry, { strict }: Pick<Report, "strict">): boolean {
  const { fails } = statuses[status];
  return (
    fails === "always" || (fails === "if it must" && (strict === true || clause.level === "must"))
  );
}

/**
 * Whether a clause that must be kept is broken unexpectedly, or anything is expected to be broken
 * and is not. If the report is strict, all clauses must be kept.
 */
export const hasFailures = (report: Report): boolean =>
  report.subjects.some((subject) =>
    entriesOf(subject, report.clauses).some((entry) => isFailure(entry, report)),
  );

/** How many entries have each status. */
export function countByStatus(entries: readonly Entry[]): Readonly<Record<Status, number>> {
  const counts = statusNames.map((name) => [
    name,
    entries.filter(({ status }) => status === name).length,
  ]);
  return Object.fromEntries(counts) as Record<Status, number>;
}

/** How many clauses were asked and are claimed. */
export const countClaimed = (counts: Readonly<Record<Status, number>>): number =>
  counts.kept + counts.broken + counts.stale + counts["expected-failure"];

/** How many clauses of one level are kept, and how many were asked and are claimed. */
export interface LevelCount {
  readonly kept: number;
  readonly claimed: number;
}

/** How many of the clauses that must, and of those that only should be kept, are kept. */
export function countByLevel(
  entries: readonly Entry[],
): Readonly<Record<ClauseText["level"], LevelCount>> {
  const count = (level: ClauseText["level"]): LevelCount => {
    const counts = countByStatus(entries.filter(({ clause }) => clause.level === level));
    return { kept: counts.kept, claimed: countClaimed(counts) };
  };
  return { must: count("must"), should: count("should") };
}

/** The clauses by family. Families and clauses keep their order. */
export const groupByFamily = <Of extends ClauseText>(
  clauses: readonly Of[],
): readonly (readonly [family: string, clauses: readonly Of[]])[] => [
  ...Map.groupBy(clauses, ({ id }) => familyOf(id)),
];
