import { errorRules, type FailedTurn } from "@fullstop/core";
import { count, type Kinds, refuseStrange } from "./kinds.ts";
import { end, type Move, mayRepeat } from "./move.ts";
import { afterRemedies, beforeRemedies } from "./salvage.ts";
import type { State } from "./state.ts";

/** What a turn may cost before it counts as failed. */
export interface Attempts {
  /** Requests, over all causes; 3 without it. With 1 the model gets no notes either, unless `notes` says so: each turn is one request. */
  readonly requests?: number | undefined;
  /**
   * Notes to the model about a reply that cannot be taken as it is, of each kind, until its calls run again: that a call was cut (2 without it),
   * that a call cannot be used (3), that a text goes on (3). Each costs a turn. 0 turns them off.
   */
  readonly notes?: number | undefined;
  /** Milliseconds of a wait between two of them; 60,000 without it. A provider that asks for a longer one ends the run: its error says how long. */
  readonly maxWaitMs?: number | undefined;
}
export interface Patience {
  readonly requests: number;
  /** Nothing where each kind of note has a count of its own. */
  readonly notes: number | undefined;
  readonly maxWaitMs: number;
}

const kinds: Kinds<Attempts> = {
  requests: count,
  notes: {
    holds: (value) => Number.isInteger(value) && Number(value) >= 0,
    words: "a whole number from 0",
  },
  maxWaitMs: {
    holds: (value) => typeof value === "number" && value >= 0 && value < 2 ** 31,
    words: "from 0 to 2147483647",
  },
};

/** Throws for what cannot be kept. */
export function patienceOf(attempts: Attempts = {}): Patience {
  refuseStrange(attempts, kinds, "attempts");
  const { requests = 3, maxWaitMs = 60_000, notes = requests === 1 ? 0 : undefined } = attempts;
  return { requests, notes, maxWaitMs: maxWaitMs };
}

const firstWaitMs = 500;

/** The same request again, where it may succeed later. Nothing of the failed attempt has run. */
export function afterFailure(turn: FailedTurn, state: State): Move {
  const { kind, retryAfterMs = 0 } = turn.error;
  const { maxWaitMs } = state.plan.attempts;
  const first = beforeRemedies(turn, state);
  if (first !== undefined) return first;
  if (!mayRepeat(turn, state) || !errorRules[kind].retry || retryAfterMs > maxWaitMs)
    return afterRemedies(turn, state) ?? end;
  return {
    act: "repeat",
    step: "retry",
    waitMs: Math.min(retryAfterMs + backoff(state.thrown.length), maxWaitMs),
  };
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
