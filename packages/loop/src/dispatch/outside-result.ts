import type { ToolCall } from "@fullstop/core";
import { reviewedId } from "./approval.ts";
import type { DispatchContext } from "./context.ts";
import { assertToolOutcome, type CallOutcome, tooLargeOutcome, truncate } from "./output.ts";
import { outcomeOfOutput } from "./salvage-notice.ts";

const missing: unique symbol = Symbol("missing");

interface OutsideResult {
  readonly outcome: CallOutcome;
  readonly recorded: "now" | "earlier";
}

/**
 * The result that `waiting.results` has for a call, or the journal. It is recorded before any call
 * of the turn runs, so that it is not needed again after a crash. Undefined if the call still needs
 * one.
 */
export async function outsideResult(
  call: ToolCall,
  stepKey: string,
  context: DispatchContext,
): Promise<OutsideResult | undefined> {
  const { config, notice, lease } = context;
  const { answers, limits } = config;
  const run = async (): Promise<CallOutcome | typeof missing> => {
    const output = answers.results.get(reviewedId(call, context));
    if (output === undefined) return missing;
    return truncate(outcomeOfOutput(call, output, notice), limits.resultChars);
  };
  const { value: outcome, replayed } = await lease.step<CallOutcome | typeof missing>(
    { key: stepKey, kind: "tool" },
    {
      run,
      isTransient: (value) => value === missing,
      tooLarge: () => tooLargeOutcome(call, lease),
    },
  );
  if (outcome === missing) return undefined;
  assertToolOutcome(outcome, stepKey);
  return { outcome, recorded: replayed ? "earlier" : "now" };
}
