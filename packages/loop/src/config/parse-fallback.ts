import type { Adapter } from "@fullstop/core";
import type { Fallback, FallbackCause } from "../contract/ports.ts";
import { adapterKind, assertOptions, type OptionKind, type OptionKinds } from "./option-kinds.ts";

const causes: Readonly<Record<FallbackCause, true>> = {
  refused: true,
  filtered: true,
  failed: true,
  window: true,
};
const causeList: OptionKind = {
  isValid: (value) =>
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((cause) => typeof cause === "string" && Object.hasOwn(causes, cause)),
  expected: `a list with at least one of ${Object.keys(causes)
    .map((cause) => JSON.stringify(cause))
    .join(", ")}`,
};
const fallbackKinds: OptionKinds<Fallback> = { adapter: adapterKind, when: causeList };

/** Throws for an entry that cannot work, and for an adapter that is named twice. */
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
