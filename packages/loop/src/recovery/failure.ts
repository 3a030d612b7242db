import { type Adapter, type ErrorKind, errorRules, type Turn } from "@fullstop/core";
import type { FailedTurn } from "@fullstop/core/adapter";
import type { FallbackCause } from "../contract/ports.ts";
import type { State } from "../turn/state.ts";
import { mayRetry, type NextAction, type Retry, retry, stop } from "./action.ts";
import { salvageFirst, salvageLast } from "./salvage.ts";

const firstBackoffMs = 500;

/** If the error allows it, sends the same request again: nothing of the failed reply has run. */
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

/**
 * The cause that each kind of error is. `invalid-request` counts as a failure because providers
 * differ in what they accept: a retired model, a schema, a kind of image. A wrong request costs one
 * refusal of each adapter. After `cancelled` no other adapter is asked: somebody ended the request
 * on purpose.
 */
const errorCauses: Readonly<Record<ErrorKind, FallbackCause | undefined>> = {
  auth: "failed",
  billing: "failed",
  "invalid-request": "failed",
  "context-window": "window",
  filtered: "filtered",
  "malformed-tool-call": "failed",
  "rate-limit": "failed",
  overloaded: "failed",
  server: "failed",
  cancelled: undefined,
  network: "failed",
  timeout: "failed",
  cut: "failed",
  "malformed-reply": "failed",
  "too-large": "failed",
  "unknown-stop": "failed",
};

function causeOf(turn: Turn): FallbackCause | undefined {
  if (turn.stopReason === "refusal") return "refused";
  if (turn.stopReason === "content-filter") return "filtered";
  if (turn.leakedCall !== undefined) return "failed";
  return "error" in turn ? errorCauses[turn.error.kind] : undefined;
}

/** Undefined after side effects of the provider's own tools: a request could repeat them. */
export function fallbackFor(turn: Turn, state: State): Adapter | undefined {
  const cause = causeOf(turn);
  if (turn.sideEffects || cause === undefined) return undefined;
  return state.config.recovery.fallback.find(
    ({ adapter, when }) =>
      adapter !== state.adapter &&
      !state.askedAdapters.includes(adapter) &&
      (when?.includes(cause) ?? true),
  )?.adapter;
}

export function askFallback(turn: Turn, state: State): Retry | undefined {
  const adapter = fallbackFor(turn, state);
  return adapter && retry(turn, "fallback", { adapter });
}
