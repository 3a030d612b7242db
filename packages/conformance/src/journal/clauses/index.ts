import { clausesIn } from "../../clause.ts";
import type { JournalClause, JournalClauseTable } from "../ask.ts";
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
