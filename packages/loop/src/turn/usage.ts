import type { Origin, Usage } from "@fullstop/core";
import type { Price } from "../config/ports.ts";

/** The sum of two usages, without `towardCap`, which is about a single reply. */
export function addUsage(sum: Usage, { input, output, cacheRead, cacheWrite }: Usage): Usage {
  const read = addOptional(sum.cacheRead, cacheRead);
  const write = addOptional(sum.cacheWrite, cacheWrite);
  return {
    input: sum.input + input,
    output: sum.output + output,
    ...(read !== undefined && { cacheRead: read }),
    ...(write !== undefined && { cacheWrite: write }),
  };
}
const addOptional = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined && other === undefined ? undefined : (one ?? 0) + (other ?? 0);

/**
 * The cost of a reply. Throws if `limits.price` does not return a number: the limit could not be
 * kept.
 */
export function costOf(price: Price, usage: Usage, from: Origin): number {
  const cost = price(usage, from);
  if (!(typeof cost === "number" && cost >= 0))
    throw new RangeError(`\`limits.price\` must return a number, at least 0, not ${String(cost)}.`);
  return cost;
}
