import type { Check, ClauseText } from "../clause.ts";

/**
 * What a report says of one clause and one subject. `expected-failure`: broken, as the file of expected failures says;
 * `stale`: listed there, and yet not broken.
 */
export type Status = "kept" | "broken" | "not-claimed" | "not-run" | "expected-failure" | "stale";

/** One cell. */
export interface Finding {
  readonly status: Status;
  /** How many things were tried. */
  readonly proofs: number;
  /** Those that failed, the first of them. */
  readonly broken: readonly Check[];
  /** `broken` holds all that failed, and all are shown. */
  readonly all?: true;
  /** Why it is not claimed, was not run, or is expected to fail. */
  readonly reason?: string;
}

/** Who was asked, and what was found. */
export interface ReportedSubject {
  readonly name: string;
  /** The name of the wire. */
  readonly wire: string;
  /** Packages or programs, and their versions. */
  readonly versions?: Readonly<Record<string, string>>;
  /** What asks it again. */
  readonly command?: string;
  /** By the clause's id. A clause that is not here was not run. */
  readonly findings: Readonly<Record<string, Finding>>;
}

/** What the suite found: plain JSON, and all that every reporter needs. */
export interface Report {
  /** The version of the suite. */
  readonly suite: string;
  /** When, as ISO 8601. */
  readonly at: string;
  /** Those that were asked, in order. */
  readonly clauses: readonly ClauseText[];
  readonly subjects: readonly ReportedSubject[];
}
