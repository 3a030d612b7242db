import type { Adapter } from "@fullstop/core";
import type { Limits } from "../contract/limits.ts";
import type { RecoveryOptions } from "../contract/options.ts";
import type { Fallback } from "../contract/ports.ts";
import { withoutUndefined } from "../util/values.ts";
import {
  adapterKind,
  assertOptions,
  fallbackKinds,
  limitKinds,
  recoveryKinds,
} from "./option-kinds.ts";
import type { ResolvedLimits, ResolvedRecovery } from "./run-config.ts";

export function parseLimits(limits: Limits = {}): ResolvedLimits {
  assertOptions(limits, limitKinds, "limits");
  if (limits.cost !== undefined && limits.price === undefined)
    throw new TypeError(
      "`limits.cost` requires `limits.price`, a function that returns the cost of a reply.",
    );
  return { ...defaultLimits, ...withoutUndefined(limits) };
}
const defaultLimits: ResolvedLimits = {
  turns: 100,
  toolCalls: Number.POSITIVE_INFINITY,
  outputTokens: Number.POSITIVE_INFINITY,
  cost: Number.POSITIVE_INFINITY,
  deadlineMs: Number.POSITIVE_INFINITY,
  concurrency: 8,
  resultChars: 262_144,
};

export function parseRecovery(recovery: RecoveryOptions = {}, adapter: Adapter): ResolvedRecovery {
  assertOptions(recovery, recoveryKinds, "recovery");
  const { requests = 3, maxWaitMs = 60_000, notes = requests === 1 ? 0 : undefined } = recovery;
  const { capRaises, compact, leakedCalls = true, fallback = [] } = recovery;
  const adapters = parseFallback(fallback, adapter);
  return { requests, notes, leakedCalls, capRaises, maxWaitMs, compact, fallback: adapters };
}

export function parseFallback(
  fallback: readonly Fallback[],
  adapter: Adapter,
): readonly Fallback[] {
  for (const [position, one] of fallback.entries())
    assertFallback(one, `recovery.fallback[${position}]`);
  const adapters = [adapter, ...fallback.map((one) => one.adapter)];
  if (new Set(adapters).size < adapters.length)
    throw new TypeError("`recovery.fallback` must not name an adapter twice, or `adapter` itself.");
  return fallback.map((one) => ({ ...one }));
}

function assertFallback(one: unknown, path: string): asserts one is Fallback {
  if (typeof one !== "object" || one === null || adapterKind.isValid(one))
    throw new TypeError(`\`${path}\` must be \`{ adapter, when }\`, not an adapter alone.`);
  assertOptions(one as Fallback, fallbackKinds, path);
  if (!("adapter" in one) || one.adapter === undefined)
    throw new TypeError(`\`${path}.adapter\` is missing. It must be ${adapterKind.expected}.`);
}
