import { errorRules, type FailedTurn } from "@fullstop/core";
import { end, type Move, mayRepeat } from "./move.ts";
import { afterRemedies } from "./salvage.ts";
import type { State } from "./state.ts";

const firstWaitMs = 500;
/** Who is asked to wait longer is told so, instead of being left waiting. */
const longestWaitMs = 60_000;

/** The same request again, where it may succeed later. Nothing of the failed attempt has run. */
export function afterFailure(turn: FailedTurn, state: State): Move {
  const { error } = turn;
  const waitMs = backoff(state.thrown.length, error.retryAfterMs);
  if (!mayRepeat(state) || !errorRules[error.kind].retry || waitMs > longestWaitMs) return afterRemedies(turn, state) ?? end;
  return { act: "repeat", step: "retry", waitMs };
}

/** What the provider asks for; beyond that exponential with full jitter, so that clients do not come back together. */
const backoff = (failures: number, retryAfterMs = 0): number => retryAfterMs + Math.random() * firstWaitMs * 2 ** failures;

/** Waits, at most until the signal aborts. */
export const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted || ms <= 0) return resolve();
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", done, { once: true });
  });
