import type { Adapter, ErrorKind, Turn } from "@fullstop/core";
import type { FallbackCause } from "../contract/ports.ts";
import type { State } from "../turn/state.ts";
import { type Retry, retry } from "./action.ts";

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
  return "error" in turn ? errorCauses[turn.error.kind] : undefined;
}

/**
 * The next adapter for this reply: the first of the list that was not asked in this turn and whose
 * `when` has the cause. Undefined after side effects of the provider's own tools, because another
 * request could repeat them.
 */
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

/** Requests the turn from another adapter. Undefined if none is left for this cause. */
export function askFallback(turn: Turn, state: State): Retry | undefined {
  const adapter = fallbackFor(turn, state);
  return adapter && retry(turn, "fallback", { adapter });
}
