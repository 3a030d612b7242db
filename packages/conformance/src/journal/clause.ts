import type { ClauseAbout, Mutant, TableOf } from "../clause.ts";
import type { JournalHarness } from "./harness.ts";
import type { JournalSubject } from "./subject.ts";

export type JournalClause = ClauseAbout<JournalHarness, JournalSubject>;
export type JournalMutant = Mutant<JournalSubject, JournalSubject>;
/** Clauses about journals by their ids. */
export type JournalClauseTable = TableOf<JournalClause>;
