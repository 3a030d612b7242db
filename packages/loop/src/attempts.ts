import { errorRules, type FailedTurn } from "@fullstop/core";
import { end, type Move, mayRepeat } from "./move.ts";
import { afterRemedies } from "./salvage.ts";
import type { State } from "./state.ts";

/** What a turn may cost before it counts as failed. */
export interface Attempts {
  /** Requests, over all causes; 3 without it. */
  readonly requests?: number | undefined;
  /** Milliseconds of a wait between two of them; 60,000 without it. A provider that asks for a longer one ends the run: its error says how long. */
  readonly longestWaitMs?: number | undefined;
}
export interface Patience {
  readonly requests: number;
  readonly longestWaitMs: number;
}

/** Throws for what cannot be kept. */
export function patienceOf({ requests = 3, longestWaitMs = 60_000 }: Attempts = {}): Patience {
  if (!Number.isInteger(requests) || requests < 1)
    throw new RangeError(`\`attempts.requests\` must be a whole number from 1, not ${requests}.`);
  if (!(longestWaitMs >= 0 && longestWaitMs < 2 ** 31))
    throw new RangeError(`\`attempts.longestWaitMs\` must be from 0 to 2147483647, not ${longestWaitMs}.`);
  return { requests, longestWaitMs };
}

const firstWaitMs = 500;

/** The same request again, where it may succeed later. Nothing of the failed attempt has run. */
export function afterFailure(turn: FailedTurn, state: State): Move {
  const { kind, retryAfterMs = 0 } = turn.error;
  const { longestWaitMs } = state.plan.attempts;
  if (!mayRepeat(turn, state) || !errorRules[kind].retry || retryAfterMs > longestWaitMs) return afterRemedies(turn, state) ?? end;
  return { act: "repeat", step: "retry", waitMs: Math.min(retryAfterMs + backoff(state.thrown.length), longestWaitMs) };
}

/** Exponential with full jitter, so that clients do not come back together. */
const backoff = (failures: number): number => Math.random() * firstWaitMs * 2 ** failures;

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
