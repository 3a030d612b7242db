import {
  assertOptions,
  nonNegativeInteger,
  type OptionKinds,
  positiveFiniteNumber,
  positiveInteger,
  timerMs,
} from "./option-kinds.ts";
import type { Attempts, Limits } from "./options.ts";
import type { Price } from "./ports.ts";
import type { ResolvedAttempts, ResolvedLimits } from "./run-config.ts";

const limitKinds: OptionKinds<Limits> = {
  turns: positiveInteger,
  toolCalls: positiveInteger,
  outputTokens: positiveInteger,
  cost: positiveFiniteNumber,
  deadlineMs: positiveFiniteNumber,
};

/** Throws for limits that cannot be kept. */
export function parseLimits(limits: Limits = {}, price: Price | undefined): ResolvedLimits {
  assertOptions(limits, limitKinds, "limits");
  if (limits.cost !== undefined && price === undefined)
    throw new TypeError(
      "`limits.cost` requires `price`, a function that returns the cost of a reply.",
    );
  return {
    turns: limits.turns ?? 100,
    toolCalls: limits.toolCalls ?? Number.POSITIVE_INFINITY,
    outputTokens: limits.outputTokens ?? Number.POSITIVE_INFINITY,
    cost: limits.cost ?? Number.POSITIVE_INFINITY,
    deadlineMs: limits.deadlineMs ?? Number.POSITIVE_INFINITY,
  };
}

const attemptKinds: OptionKinds<Attempts> = {
  requests: positiveInteger,
  notes: nonNegativeInteger,
  maxWaitMs: timerMs,
};

/** Throws for counts and waits that cannot be kept. */
export function parseAttempts(attempts: Attempts = {}): ResolvedAttempts {
  assertOptions(attempts, attemptKinds, "attempts");
  const { requests = 3, maxWaitMs = 60_000, notes = requests === 1 ? 0 : undefined } = attempts;
  return { requests, notes, maxWaitMs };
}
