import { clausesIn } from "../../clause.ts";
import type { JudgeOptions } from "../../judge.ts";
import { type AskedClause, askAbout } from "../../judge-clause.ts";
import type { JournalClause, JournalClauseTable } from "../ask.ts";
import { createJournalHarness, defaultTiming } from "../harness.ts";
import type { JournalSubject } from "../subject.ts";
import { journalCloseClauses } from "./close.ts";
import { journalFaultClauses } from "./faults.ts";
import { journalLeaseClauses } from "./lease.ts";
import { journalListClauses } from "./list.ts";
import { journalLostClauses } from "./lost.ts";
import { journalRunNameClauses } from "./run-names.ts";
import { journalRunClauses } from "./runs.ts";
import { journalStepClauses } from "./steps.ts";
import { journalTakeoverClauses } from "./takeover.ts";
import { journalTextClauses } from "./texts.ts";
import { journalWriteClauses } from "./writes.ts";

const journalTables: readonly JournalClauseTable[] = [
  journalStepClauses,
  journalWriteClauses,
  journalTextClauses,
  journalRunNameClauses,
  journalRunClauses,
  journalLeaseClauses,
  journalCloseClauses,
  journalTakeoverClauses,
  journalLostClauses,
  journalFaultClauses,
  journalListClauses,
];

/** Every clause about journals. */
export const journalClauses: readonly JournalClause[] = clausesIn<JournalClause>(journalTables);

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

export const askJournal = (
  subject: JournalSubject,
  { timeoutMs, leasesMs, ...options }: JournalJudgeOptions,
): readonly AskedClause[] =>
  askAbout(
    journalClauses,
    createJournalHarness(subject, {
      timeoutMs: timeoutMs ?? defaultTiming.timeoutMs,
      leasesMs: leasesMs ?? defaultTiming.leasesMs,
    }),
    { ...options, notClaimed: subject.notClaimed },
  );
