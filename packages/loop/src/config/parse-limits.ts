import type { Adapter } from "@fullstop/core";
import type { Limits } from "../contract/limits.ts";
import type { RecoveryOptions } from "../contract/options.ts";
import {
  anyFunction,
  assertOptions,
  listOf,
  nonNegativeInteger,
  type OptionKinds,
  positiveFiniteNumber,
  positiveInteger,
  positiveNumber,
  timerMs,
} from "./option-kinds.ts";
import { parseFallback } from "./parse-fallback.ts";
import type { ResolvedLimits, ResolvedRecovery } from "./run-config.ts";

const limitKinds: OptionKinds<Limits> = {
  turns: positiveInteger,
  toolCalls: positiveInteger,
  outputTokens: positiveInteger,
  cost: positiveFiniteNumber,
  price: anyFunction,
  deadlineMs: positiveFiniteNumber,
  firstEventMs: positiveNumber,
  idleMs: positiveNumber,
  concurrency: positiveInteger,
  resultChars: positiveInteger,
};

/** Throws for limits that cannot be kept. */
export function parseLimits(limits: Limits = {}): ResolvedLimits {
  assertOptions(limits, limitKinds, "limits");
  const { price, firstEventMs, idleMs } = limits;
  if (limits.cost !== undefined && price === undefined)
    throw new TypeError(
      "`limits.cost` requires `limits.price`, a function that returns the cost of a reply.",
    );
  return {
    turns: limits.turns ?? 100,
    toolCalls: limits.toolCalls ?? Number.POSITIVE_INFINITY,
    outputTokens: limits.outputTokens ?? Number.POSITIVE_INFINITY,
    cost: limits.cost ?? Number.POSITIVE_INFINITY,
    deadlineMs: limits.deadlineMs ?? Number.POSITIVE_INFINITY,
    concurrency: limits.concurrency ?? 8,
    resultChars: limits.resultChars ?? 262_144,
    price,
    firstEventMs,
    idleMs,
  };
}

const recoveryKinds: OptionKinds<RecoveryOptions> = {
  requests: positiveInteger,
  notes: nonNegativeInteger,
  maxWaitMs: timerMs,
  compact: anyFunction,
  fallback: listOf("`{ adapter, when }`"),
};

/** Throws for counts and waits that cannot be kept. */
export function parseRecovery(recovery: RecoveryOptions = {}, adapter: Adapter): ResolvedRecovery {
  assertOptions(recovery, recoveryKinds, "recovery");
  const { requests = 3, maxWaitMs = 60_000, notes = requests === 1 ? 0 : undefined } = recovery;
  const { compact, fallback = [] } = recovery;
  return { requests, notes, maxWaitMs, compact, fallback: parseFallback(fallback, adapter) };
}
