import type { ToolCall } from "@fullstop/core";
import type { ReviewedCall, Settlement } from "../config/ports.ts";
import { assertSettlement } from "../config/settlement.ts";
import type { Tool } from "../config/tool.ts";
import type { EventBody } from "../event.ts";
import type { JournalStep, RunLease } from "../journal/journal.ts";
import { journaled } from "../turn/journal.ts";
import { aborted, unlessAborted } from "../util/abort.ts";
import { toReviewedCall } from "./approval.ts";
import type { DispatchContext } from "./context.ts";
import {
  assertToolOutcome,
  type CallOutcome,
  errorOutcome,
  tooLargeOutcome,
  truncate,
} from "./output.ts";
import { outcomeOfOutput } from "./salvage-notice.ts";

/** A call, with its tool and its validated input if the call can still run. */
export interface CheckedCall {
  readonly call: ToolCall;
  readonly tool?: Tool;
  readonly input?: unknown;
}
/** What the journal says about a call, after its doubts are settled. */
export type Standing =
  /** It is made as this step. `hasEnded`: the step has its result. */
  | { readonly stepKey: string; readonly hasEnded: boolean }
  /** A settlement gave it a result. */
  | { readonly outcome: CallOutcome; readonly recorded: "now" | "earlier" }
  /** It stays in doubt until a person settles it. */
  | { readonly doubt: ReviewedCall };

/** As a journal stores it. */
interface StoredSettlement {
  readonly settled: "result" | "did-not-happen" | "unknown" | "later";
  /** What the model gets. */
  readonly outcome?: CallOutcome;
}

/** The key of the call is the key of its first attempt, and the idempotency key of all of them. */
const attemptKey = (key: string, attempt: number): string =>
  attempt === 1 ? key : `${key}/attempt/${attempt}`;

/**
 * Settles each attempt of a call that had started, and whose result is not recorded. Settlements
 * are recorded, so that the conversation stays the same when the run is resumed once more.
 */
export async function settleDoubts(
  checked: CheckedCall,
  context: DispatchContext,
): Promise<Standing> {
  for (let attempt = 1; ; attempt++) {
    const stepKey = attemptKey(context.key, attempt);
    const recorded = await context.lease.read(stepKey);
    if (recorded?.state !== "begun") return { stepKey, hasEnded: recorded !== undefined };
    const standing = await settleAttempt(checked, stepKey, context);
    if (standing !== "did-not-happen") return standing;
  }
}

async function settleAttempt(
  checked: CheckedCall,
  stepKey: string,
  context: DispatchContext,
): Promise<Standing | "did-not-happen"> {
  const { call } = checked;
  const reviewed = toDoubt(checked, stepKey, context);
  let replayed = true;
  const run = async (): Promise<StoredSettlement> => {
    replayed = false;
    return toStoredSettlement(call, await askForSettlement(reviewed, checked, context), context);
  };
  const stored = await journaled<StoredSettlement>(context.lease, settlementStep(stepKey), {
    run,
    isTransient: ({ settled }) => settled === "later",
    tooLarge: () => ({ settled: "result", outcome: tooLargeOutcome(call, context.lease) }),
  });
  if (!context.signal.aborted) context.emit(settlementEvent(reviewed, stored, replayed));
  const { settled, outcome = unknownOutcome(call) } = stored;
  if (settled === "did-not-happen") return settled;
  if (settled === "later") return { doubt: reviewed };
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

/** Each attempt has an id of its own: a settlement of the first one must not settle the second. */
function toDoubt(
  { call, input = call.input }: CheckedCall,
  stepKey: string,
  context: DispatchContext,
): ReviewedCall {
  const reviewed = toReviewedCall({ call, input, needs: "settlement" }, context);
  return Object.freeze({ ...reviewed, id: `${reviewed.id}${stepKey.slice(context.key.length)}` });
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
  if (settlement === "unknown") return { settled: settlement, outcome: unknownOutcome(call) };
  if (typeof settlement === "string") return { settled: settlement };
  const outcome = outcomeOfOutput(call, settlement.result, notice);
  return { settled: "result", outcome: truncate(outcome, config.limits.resultChars) };
}

/** The result of a call that stays in doubt. */
export const unknownOutcome = ({ name }: ToolCall): CallOutcome => ({
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
