import type { Check, ClauseText } from "../clause.ts";

/**
 * The result for one clause and one subject. `expected-failure`: broken, and listed as an expected failure;
 * `stale`: listed as an expected failure, but not broken.
 */
export type Status = "kept" | "broken" | "not-claimed" | "not-run" | "expected-failure" | "stale";

/** One cell of a report. */
export interface Finding {
  readonly status: Status;
  /** How many checks ran. */
  readonly checks: number;
  /** The first failed checks. */
  readonly broken: readonly Check[];
  /** `broken` has every failed check, and reporters show all of them. */
  readonly all?: true;
  /** Why it is not claimed, was not run, or is expected to fail. */
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
