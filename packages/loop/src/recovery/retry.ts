import { errorRules, type FailedTurn } from "@fullstop/core";
import type { State } from "../turn/state.ts";
import { mayRetry, type NextAction, retry, stop } from "./action.ts";
import { askFallback } from "./fallback.ts";
import { salvageFirst, salvageLast } from "./salvage.ts";

const firstBackoffMs = 500;

/**
 * Sends the same request again if the kind of error allows it, then asks the fallback. Nothing of
 * the failed reply has run.
 */
export function afterFailure(turn: FailedTurn, state: State): NextAction {
  const { kind, retryAfterMs = 0 } = turn.error;
  const { maxWaitMs } = state.config.recovery;
  const salvaged = salvageFirst(turn, state);
  if (salvaged !== undefined) return salvaged;
  if (!mayRetry(turn, state) || !errorRules[kind].retry || retryAfterMs > maxWaitMs)
    return askFallback(turn, state) ?? salvageLast(turn, state) ?? stop(turn);
  const waitMs = Math.min(retryAfterMs + backoffMs(state.discardedTurns.length), maxWaitMs);
  return retry(turn, "retry", { waitMs });
}

/** Exponential backoff with full jitter, so that clients do not retry at the same time. */
const backoffMs = (failures: number): number => Math.random() * firstBackoffMs * 2 ** failures;
