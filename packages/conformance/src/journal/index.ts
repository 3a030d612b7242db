import { describe } from "vitest";
import { selectClauses, splitCheck } from "../clause.ts";
import { testClause } from "../clause-tests.ts";
import type { Verdict } from "../judge-clause.ts";
import { type JournalJudgeOptions, journalClauses, judgeJournal } from "./judge.ts";
import type { JournalSubject } from "./subject.ts";

export type { JournalJudgeOptions } from "./judge.ts";
export type {
  JournalStore,
  JournalStoreOptions,
  JournalSubject,
  ListingJournal,
} from "./subject.ts";

/** The limit of one test. Some clauses wait for the ends of several leases. */
const testTimeoutMs = 300_000;

async function verdictOn(
  subject: JournalSubject,
  options: JournalJudgeOptions & { readonly only: string },
): Promise<Verdict> {
  for await (const verdict of judgeJournal(subject, options)) return verdict;
  throw new Error(`No clause is called "${options.only}".`);
}

/**
 * Defines a test for each clause about journals. A clause that cannot be judged or is not
 * claimed is skipped with the reason.
 */
export function journalConformance(
  subject: JournalSubject,
  { only, ...options }: Omit<JournalJudgeOptions, "all" | "signal"> = {},
): void {
  const named = only === undefined ? undefined : splitCheck(only).clause;
  describe(subject.name, () => {
    for (const clause of selectClauses(named, journalClauses)) {
      const asked = only?.includes("/") ? only : clause.id;
      testClause(clause, testTimeoutMs, () => verdictOn(subject, { ...options, only: asked }));
    }
  });
}
