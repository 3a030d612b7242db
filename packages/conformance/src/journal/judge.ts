import type { JudgeOptions } from "../judge.ts";
import { judgeAbout, type Verdict } from "../judge-clause.ts";
import { journalClauses } from "./clauses/index.ts";
import { createJournalHarness, defaultTiming } from "./harness.ts";
import type { JournalSubject } from "./subject.ts";

export type { JournalClause, JournalMutant } from "./ask.ts";
export { journalClauses } from "./clauses/index.ts";
export type { JournalHarness, JournalTiming, OpenStore } from "./harness.ts";
export type {
  JournalStore,
  JournalStoreOptions,
  JournalSubject,
  ListingJournal,
} from "./subject.ts";

/** Which clauses are asked, and how long things may take. */
export interface JournalJudgeOptions extends Pick<JudgeOptions, "only" | "all" | "signal"> {
  /** Milliseconds that one operation of the journal may take. Default: 30,000. */
  readonly timeoutMs?: number | undefined;
  /**
   * The leases of the checks that wait for the end of one, in milliseconds, from the shortest.
   * Default: 600, 4,000 and 15,000. A longer one is tried if the machine was too busy.
   */
  readonly leasesMs?: readonly number[] | undefined;
}

/**
 * Asks a journal about every clause, each with stores of its own. Yields one verdict for each.
 * @throws Error if `only` or `notClaimed` names an unknown clause or check.
 */
export async function* judgeJournal(
  subject: JournalSubject,
  { timeoutMs, leasesMs, ...options }: JournalJudgeOptions = {},
): AsyncGenerator<Verdict> {
  const harness = createJournalHarness(subject, {
    timeoutMs: timeoutMs ?? defaultTiming.timeoutMs,
    leasesMs: leasesMs ?? defaultTiming.leasesMs,
  });
  yield* judgeAbout(journalClauses, harness, { ...options, notClaimed: subject.notClaimed });
}
