import type { ClauseText, Question } from "../clause.ts";
import type { JournalHarness } from "./harness.ts";
import type { JournalSubject } from "./subject.ts";

/** A journal that is broken in one way. The clause that has it must catch it. */
export interface JournalMutant {
  /** What it does wrong: a phrase without a subject. */
  readonly wrong: string;
  /** Breaks a sound journal. */
  subject(sound: JournalSubject): JournalSubject;
}

/** A rule about journals. */
export interface JournalClause extends ClauseText {
  readonly journal: Question<JournalHarness>;
  /** Broken journals that it catches. */
  readonly mutants: readonly JournalMutant[];
}

/** Clauses about journals by their ids. */
export type JournalClauseTable = Readonly<Record<string, Omit<JournalClause, "id">>>;
