import {
  type Clause,
  type ClauseFor,
  type ClauseTable,
  clausesIn,
  type Question,
  textForLoops,
} from "../clause.ts";
import type { GuardHarness } from "../guard/harness.ts";
import type { Harness } from "../harness/harness.ts";
import type { RunHarness } from "../loop/harness.ts";
import { callClauses } from "./call.ts";
import { callIdentityClauses } from "./call-identity.ts";
import { callInputClauses } from "./call-inputs.ts";
import { callOnceClauses } from "./call-once.ts";
import { errorClauses } from "./error.ts";
import { guardTable } from "./guard.ts";
import { historyClauses } from "./history.ts";
import { outputClauses } from "./output.ts";
import { outputEndClauses } from "./output-ends.ts";
import { outputTextClauses } from "./output-texts.ts";
import { recoveryClauses } from "./recovery.ts";
import { requestClauses } from "./request.ts";
import { requestHistoryClauses } from "./request-history.ts";
import { stopContradictionClauses } from "./stop-contradictions.ts";
import { stopEndClauses } from "./stop-ends.ts";
import { stopFalseEndClauses } from "./stop-false-ends.ts";
import { stopReasonClauses } from "./stop-reasons.ts";
import { turnClauses } from "./turn.ts";
import { wireClauses } from "./wire.ts";
import { connectionClauses } from "./wire-connection.ts";
import { wireFaultClauses } from "./wire-faults.ts";

const tables: readonly ClauseTable[] = [
  stopReasonClauses,
  stopContradictionClauses,
  stopEndClauses,
  stopFalseEndClauses,
  callClauses,
  callInputClauses,
  callIdentityClauses,
  callOnceClauses,
  wireClauses,
  wireFaultClauses,
  connectionClauses,
  turnClauses,
  outputClauses,
  outputEndClauses,
  outputTextClauses,
  errorClauses,
  requestClauses,
  requestHistoryClauses,
  historyClauses,
  recoveryClauses,
  guardTable,
];

/** Every clause, by family. */
export const clauses: readonly Clause[] = clausesIn<Clause>(tables);

const clausesFor = <Harness>(
  questionOf: (clause: Clause) => Question<Harness> | undefined,
): readonly ClauseFor<Harness>[] =>
  clauses.flatMap((clause) => {
    const question = questionOf(clause);
    return question === undefined ? [] : [{ ...clause, question }];
  });

export const adapterClauses: readonly ClauseFor<Harness>[] = clausesFor(({ adapter }) => adapter);

export const guardClauses: readonly ClauseFor<GuardHarness>[] = clausesFor(({ guard }) => guard);

export const loopClauses: readonly ClauseFor<RunHarness>[] = clausesFor(({ loop }) => loop).map(
  (clause) => ({ ...textForLoops(clause), question: clause.question }),
);
