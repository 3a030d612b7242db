import type { ToolCall } from "@fullstop/core";
import { assertSettlement } from "../config/settlement.ts";
import type { EventBody } from "../contract/event.ts";
import type { JournalStep, RunLease } from "../contract/journal.ts";
import type { ReviewedCall, Settlement } from "../contract/ports.ts";
import { aborted, unlessAborted } from "../util/abort.ts";
import { toReviewedCall } from "./approval.ts";
import { attemptId } from "./attempts.ts";
import type { CheckedCall, DispatchContext, SettledCall } from "./context.ts";
import {
  assertToolOutcome,
  type CallOutcome,
  tooLargeOutcome,
  truncate,
  unknownOutcome,
} from "./output.ts";
import { outcomeOfOutput } from "./salvage-notice.ts";

/** As a journal stores it. */
interface StoredSettlement {
  readonly settled: "result" | "did-not-happen" | "unknown" | "later";
  /** What the model gets. */
  readonly outcome?: CallOutcome;
}

/**
 * Settles an attempt of a call that had started, and whose result is not known. The settlement is
 * recorded, so that the conversation stays the same when the run is resumed once more. `unknown` is
 * what the model gets if its outcome stays unknown.
 */
export async function settleAttempt(
  checked: CheckedCall,
  stepKey: string,
  context: DispatchContext,
  unknown: CallOutcome = unknownOutcome(checked.call),
): Promise<SettledCall> {
  const { call } = checked;
  const reviewed = toDoubt(checked, stepKey, context);
  const run = async (): Promise<StoredSettlement> => {
    const settlement = await askForSettlement(reviewed, checked, context);
    if (settlement === "unknown") return { settled: settlement, outcome: unknown };
    return toStoredSettlement(call, settlement, context);
  };
  const { lease } = context;
  const { value: stored, replayed } = await lease.step<StoredSettlement>(settlementStep(stepKey), {
    run,
    isTransient: ({ settled }) => settled === "later",
    tooLarge: () => ({ settled: "result", outcome: tooLargeOutcome(call, lease) }),
  });
  if (!context.signal.aborted) context.emit(settlementEvent(reviewed, stored, replayed));
  const { settled, outcome = unknown } = stored;
  if (settled === "did-not-happen") return settled;
  if (settled === "later") return { waitsFor: reviewed };
  assertToolOutcome(outcome, stepKey);
  return { outcome, recorded: replayed ? "earlier" : "now" };
}

/** The run was aborted after the beginning was recorded, and before the tool started. */
export const recordThatNothingHappened = (
  { stepKey }: { readonly stepKey: string },
  lease: RunLease,
): Promise<void> => {
  const settlement: StoredSettlement = { settled: "did-not-happen" };
  return lease.end(settlementStep(stepKey), JSON.stringify(settlement));
};

const settlementStep = (stepKey: string): JournalStep => ({
  key: `${stepKey}/settlement`,
  kind: "settlement",
});

function toDoubt(
  { call, input = call.input }: CheckedCall,
  stepKey: string,
  context: DispatchContext,
): ReviewedCall {
  const reviewed = toReviewedCall({ call, input, needs: "settlement" }, context);
  return Object.freeze({ ...reviewed, id: attemptId(reviewed.id, context.key, stepKey) });
}

/** `waiting.settlements` counts first. An abort settles nothing. */
async function askForSettlement(
  reviewed: ReviewedCall,
  { tool }: CheckedCall,
  { config: { answers, settle }, key, signal }: DispatchContext,
): Promise<Settlement> {
  if (signal.aborted) return "later";
  const given = answers.settlements.get(reviewed.id);
  if (given !== undefined) return given;
  if (settle === undefined) return "unknown";
  const settlement = await unlessAborted(
    (async () => settle(reviewed, { signal, tool, idempotencyKey: key }))(),
    signal,
  );
  if (settlement === aborted) return "later";
  assertSettlement(settlement, "`journal.settle` returned");
  return settlement;
}

function toStoredSettlement(
  call: ToolCall,
  settlement: Settlement,
  { notice, config }: DispatchContext,
): StoredSettlement {
  if (typeof settlement === "string") return { settled: settlement };
  const outcome = outcomeOfOutput(call, settlement.result, notice);
  return { settled: "result", outcome: truncate(outcome, config.limits.resultChars) };
}

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
