import type { Usage } from "@fullstop/core";
import type { Origin } from "@fullstop/core/adapter";
import type { Price } from "../contract/ports.ts";
import type { Charge, State } from "./state.ts";

/** Adds what a request used to a run, and to the runs that it runs in, each at its own price. */
export function charge(state: State, one: Charge): void {
  for (let run: State | undefined = state; run !== undefined; run = run.parent?.state) {
    const { price } = run.config.limits;
    run.usage = addUsage(run.usage, one.usage);
    if (price !== undefined) run.cost = (run.cost ?? 0) + costOf(price, one.usage, one.from);
    run.parent?.charges.push(one);
  }
}

/** A run and those that it runs in, innermost first. */
export function runsAround(state: State): readonly State[] {
  return state.parent === undefined ? [state] : [state, ...runsAround(state.parent.state)];
}

/** The sum of two usages, without `towardCap`, which is about a single reply. */
function addUsage(sum: Usage, { input, output, cacheRead, cacheWrite }: Usage): Usage {
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

/** Throws if `limits.price` does not return a number: the limit could not be kept. */
function costOf(price: Price, usage: Usage, from: Origin): number {
  const cost = price(usage, from);
  if (!(typeof cost === "number" && cost >= 0))
    throw new RangeError(`\`limits.price\` must return a number, at least 0, not ${String(cost)}.`);
  return cost;
}
