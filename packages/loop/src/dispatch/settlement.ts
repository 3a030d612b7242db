import type { ToolCall } from "@fullstop/core";
import type { ReviewedCall, Settlement } from "../config/ports.ts";
import { assertSettlement } from "../config/settlement.ts";
import type { EventBody } from "../event.ts";
import { journaled } from "../turn/journal.ts";
import { aborted, unlessAborted } from "../util/abort.ts";
import type { Admission, Postponement } from "./admission.ts";
import { toReviewedCall } from "./approval.ts";
import type { DispatchContext } from "./context.ts";
import { type CallOutcome, errorOutcome, truncate } from "./output.ts";
import { outcomeOfOutput } from "./salvage-notice.ts";

/** What becomes of a call that is in doubt. */
type SettledCall = CallOutcome | "did-not-happen" | Postponement;

interface ReportedSettlement {
  readonly settlement: SettledCall;
  /** It comes from the journal. */
  readonly replayed: boolean;
}
/** As a journal stores it. */
interface StoredSettlement {
  readonly settled: "result" | "did-not-happen" | "unknown" | "later";
  /** What the model gets. */
  readonly outcome?: CallOutcome;
}

/**
 * Settles a call that had started, and whose result is not recorded. The settlement is recorded, so
 * that the conversation stays the same when the run is resumed once more.
 */
export async function settleDoubt(
  admission: Admission,
  stepKey: string,
  context: DispatchContext,
): Promise<ReportedSettlement> {
  const { call } = admission;
  const input = "input" in admission ? admission.input : call.input;
  const first = toReviewedCall({ call, input, needs: "settlement" }, context);
  // A settlement of the first attempt must not settle the second one.
  const reviewed = Object.freeze({
    ...first,
    id: `${first.id}${stepKey.slice(context.key.length)}`,
  });
  let replayed = true;
  const run = async (): Promise<StoredSettlement> => {
    replayed = false;
    return toStored(call, await askForSettlement(reviewed, admission, context), context);
  };
  const stored = await journaled(
    context.lease,
    { key: `${stepKey}/settlement`, kind: "settlement" },
    { run, isTransient: ({ settled }) => settled === "later" },
  );
  if (!context.signal.aborted) context.emit(settlementEvent(reviewed, stored, replayed));
  return { settlement: toSettledCall(call, reviewed, stored), replayed };
}

/** `waiting.settlements` counts first. An abort settles nothing. */
async function askForSettlement(
  reviewed: ReviewedCall,
  admission: Admission,
  { config: { answers, settle }, signal }: DispatchContext,
): Promise<Settlement> {
  const given = answers.settlements.get(reviewed.id);
  if (given !== undefined) return given;
  if (settle === undefined) return "unknown";
  const tool = "tool" in admission ? admission.tool : undefined;
  const settlement = await unlessAborted(
    (async () => settle(reviewed, { signal, tool }))(),
    signal,
  );
  if (settlement === aborted) return "later";
  assertSettlement(settlement, "`journal.settle` returned");
  return settlement;
}

function toStored(
  call: ToolCall,
  settlement: Settlement,
  { notice, config }: DispatchContext,
): StoredSettlement {
  if (typeof settlement === "string") return { settled: settlement };
  const outcome = outcomeOfOutput(call, settlement.result, notice);
  return { settled: "result", outcome: truncate(outcome, config.limits.resultChars) };
}

function toSettledCall(
  call: ToolCall,
  reviewed: ReviewedCall,
  { settled, outcome }: StoredSettlement,
): SettledCall {
  if (settled === "later") return { later: [reviewed] };
  if (settled === "did-not-happen") return settled;
  return outcome ?? unknownOutcome(call);
}

const unknownOutcome = ({ name }: ToolCall): CallOutcome => ({
  ...errorOutcome(
    `${name} had started when the run was stopped, and its result was not recorded. Its outcome is unknown. Check what it did before you call ${name} again.`,
  ),
  inDoubt: true,
});

const settlementEvent = (
  call: ReviewedCall,
  { settled }: StoredSettlement,
  replayed: boolean,
): EventBody => ({
  type: "settlement",
  call,
  settlement: settled,
  ...(replayed && { replayed }),
});
