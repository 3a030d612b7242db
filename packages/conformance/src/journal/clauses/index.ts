import { clausesIn } from "../../clause.ts";
import type { JournalClause, JournalClauseTable } from "../clause.ts";
import { journalBlockedClauses } from "./blocked.ts";
import { journalCloseClauses } from "./close.ts";
import { journalDeletedClauses } from "./deleted.ts";
import { journalLeaseClauses } from "./lease.ts";
import { journalListClauses } from "./list.ts";
import { journalLostClauses } from "./lost.ts";
import { journalLostSignalClauses } from "./lost-signal.ts";
import { journalOpenClauses } from "./open.ts";
import { journalRunNameClauses } from "./run-names.ts";
import { journalRunClauses } from "./runs.ts";
import { journalSizeClauses } from "./size.ts";
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
  journalOpenClauses,
  journalTakeoverClauses,
  journalLostClauses,
  journalLostSignalClauses,
  journalBlockedClauses,
  journalDeletedClauses,
  journalSizeClauses,
  journalListClauses,
];

/** Every clause about journals. */
export const journalClauses: readonly JournalClause[] = clausesIn<JournalClause>(journalTables);
