import { type Verdict, verdictsOf } from "../judge-clause.ts";
import { askJournal, type JournalJudgeOptions } from "./clauses/index.ts";
import type { JournalSubject } from "./subject.ts";

export type { JournalClause, JournalMutant } from "./ask.ts";
export { type JournalJudgeOptions, journalClauses } from "./clauses/index.ts";
export type { JournalHarness, JournalTiming, OpenStore } from "./harness.ts";
export type {
  JournalStore,
  JournalStoreOptions,
  JournalSubject,
  ListingJournal,
} from "./subject.ts";

/**
 * Asks a journal about every clause, each with stores of its own. Yields one verdict for each.
 * @throws Error if `only` or `notClaimed` names an unknown clause or check.
 */
export async function* judgeJournal(
  subject: JournalSubject,
  options: JournalJudgeOptions = {},
): AsyncGenerator<Verdict> {
  yield* verdictsOf(askJournal(subject, options), options.signal);
}
