import { checkGiven } from "@fullstop/core/adapter";
import { describe } from "vitest";
import { testClauses } from "../clause-tests.ts";
import { askJournal, type JournalJudgeOptions } from "./clauses/index.ts";
import type { JournalSubject } from "./subject.ts";

export type { JournalJudgeOptions } from "./clauses/index.ts";
export type {
  JournalStore,
  JournalStoreOptions,
  JournalSubject,
  ListingJournal,
} from "./subject.ts";

/** The limit of one test. Some clauses wait for the ends of several leases. */
const testTimeoutMs = 300_000;

/** A test for each clause about journals. One that is not asked or not claimed is skipped. */
export function journalConformance(
  subject: JournalSubject,
  options: Omit<JournalJudgeOptions, "all" | "signal"> = {},
): void {
  checkGiven(subject, "journalConformance", "a subject with `name` and `create`");
  describe(subject.name, () => {
    testClauses({ timeout: testTimeoutMs }, () => askJournal(subject, options));
  });
}
