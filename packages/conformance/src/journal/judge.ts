import { selectClauses, splitCheck } from "../clause.ts";
import type { Check } from "../harness/check.ts";
import { judgeClause, type Verdict } from "../judge-clause.ts";
import type { JournalClause } from "./clause.ts";
import { journalClauses } from "./clauses/index.ts";
import { createJournalHarness, defaultTiming, type JournalHarness } from "./harness.ts";
import type { JournalSubject } from "./subject.ts";

export type { JournalClause, JournalMutant } from "./clause.ts";
export { journalClauses } from "./clauses/index.ts";
export type { JournalHarness, JournalTiming, OpenStore } from "./harness.ts";
export type {
  JournalStore,
  JournalStoreOptions,
  JournalSubject,
  ListingJournal,
} from "./subject.ts";

/** Which clauses are asked, and how long things may take. */
export interface JournalJudgeOptions {
  /** A clause (`journal.lost`), or one of its checks (`journal.text/nul-character`). */
  readonly only?: string | undefined;
  /** Keeps and reports every failed check, not only the first of each clause. */
  readonly all?: boolean | undefined;
  /** Ends the judging: no further verdict comes. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds that one operation of the journal may take. Default: 30,000. */
  readonly timeoutMs?: number | undefined;
  /**
   * The leases of the checks that wait for the end of one, in milliseconds, from the shortest.
   * Default: 600, 4,000 and 15,000. A longer one is tried if the machine was too busy.
   */
  readonly leasesMs?: readonly number[] | undefined;
}

/** The verdict on one check: the others are left out. */
function onlyCheck(verdict: Verdict, checkId: string | undefined): Verdict {
  const { clause, checkIds = [], broken } = verdict;
  const isAsked = verdict.status === "kept" || verdict.status === "broken";
  if (checkId === undefined || !isAsked) return verdict;
  const failed: readonly Check[] = broken.filter(({ id }) => id === checkId || id === undefined);
  if (!checkIds.includes(checkId) && failed.length === 0)
    throw new Error(`${clause.id} has no check "${checkId}". It has ${checkIds.join(", ")}.`);
  const status = failed.length > 0 ? "broken" : "kept";
  return { ...verdict, status, checks: 1, checkIds: [checkId], broken: failed };
}

const judgeOne = (
  { journal: question, ...clause }: JournalClause,
  subject: JournalSubject,
  harness: JournalHarness,
  { all, signal }: JournalJudgeOptions,
): Promise<Verdict> => {
  const disclaimed = subject.notClaimed?.[clause.id];
  return judgeClause({ clause, question, disclaimed }, harness, { all, signal });
};

/**
 * Asks a journal about every clause, each with stores of its own. Yields one verdict for each.
 * @throws Error if `only` or `notClaimed` names an unknown clause or check.
 */
export async function* judgeJournal(
  subject: JournalSubject,
  options: JournalJudgeOptions = {},
): AsyncGenerator<Verdict> {
  const { only, signal, timeoutMs, leasesMs } = options;
  for (const id of Object.keys(subject.notClaimed ?? {}))
    if (!journalClauses.some((clause) => clause.id === id))
      throw new Error(`notClaimed names the unknown clause "${id}".`);
  const { clause: named, checkId } = only === undefined ? {} : splitCheck(only);
  const harness = createJournalHarness(subject, {
    timeoutMs: timeoutMs ?? defaultTiming.timeoutMs,
    leasesMs: leasesMs ?? defaultTiming.leasesMs,
  });
  for (const clause of selectClauses(named, journalClauses)) {
    const verdict = await judgeOne(clause, subject, harness, options);
    if (signal?.aborted) return;
    yield onlyCheck(verdict, checkId);
  }
}
