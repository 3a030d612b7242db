import type { Origin, Usage } from "@fullstop/core";
import { startTimer } from "@fullstop/core/adapter";
import { count, type Kind, type Kinds, refuseStrange } from "./kinds.ts";
import type { End, Move } from "./move.ts";
import type { Ending } from "./outcome.ts";
import type { State } from "./state.ts";

/** What a run may use. The calls of the reply that reaches a limit are answered, but not run. */
export interface Limits {
  /** Replies that may join the conversation; 100 without it. */
  readonly turns?: number | undefined;
  /** Calls that the model may make. Of a turn with more than are left none runs: its calls are one plan. */
  readonly toolCalls?: number | undefined;
  /** Output tokens of all requests together, looked at after each reply. */
  readonly outputTokens?: number | undefined;
  /** In the unit of `price`, which it needs. Looked at after each reply. */
  readonly cost?: number | undefined;
  /** Milliseconds that the run may take. What is under way then is aborted through its signal. */
  readonly deadlineMs?: number | undefined;
}
/** The name of a limit. */
export type Limit = keyof Limits;
export type Bounds = Readonly<Record<Limit, number>>;

/** What one reply cost, in any unit. `from` tells the model apart from a fallback. */
export type Price = (usage: Usage, from: Origin) => number;

const amount: Kind = {
  holds: (value) => Number.isFinite(value) && Number(value) > 0,
  words: "more than 0",
};
const kinds: Kinds<Limits> = {
  turns: count,
  toolCalls: count,
  outputTokens: count,
  cost: amount,
  deadlineMs: amount,
};

/** Throws for limits that cannot be kept. */
export function boundsOf(limits: Limits = {}, price: Price | undefined): Bounds {
  refuseStrange(limits, kinds, "limits");
  const bounds: Record<Limit, number> = {
    turns: 100,
    toolCalls: Number.POSITIVE_INFINITY,
    outputTokens: Number.POSITIVE_INFINITY,
    cost: Number.POSITIVE_INFINITY,
    deadlineMs: Number.POSITIVE_INFINITY,
  };
  for (const [name, value] of Object.entries(limits) as [Limit, number | undefined][]) {
    if (value !== undefined) bounds[name] = value;
  }
  if (limits.cost !== undefined && price === undefined)
    throw new TypeError("`limits.cost` needs `price`, which says what a reply costs.");
  return bounds;
}

const counted = (count: number, noun: string): string =>
  count === 1 ? `one ${noun}` : `${count} ${noun}s`;
const words: Readonly<Record<Limit, (most: number) => string>> = {
  turns: (most) => `limit of ${counted(most, "turn")}`,
  toolCalls: (most) => `limit of ${counted(most, "tool call")}`,
  outputTokens: (most) => `limit of ${counted(most, "output token")}`,
  cost: (most) => `limit of ${most} on its cost`,
  deadlineMs: (most) => `deadline of ${most / 1000} s`,
};
export const limitWords = (limit: Limit, bounds: Bounds): string => words[limit](bounds[limit]);

/** In the order in which they are named; `calls` are those that would run next. */
const reached: Readonly<Record<Limit, (state: State, calls: number) => boolean>> = {
  turns: ({ turn, plan }) => turn >= plan.limits.turns,
  toolCalls: ({ ran, plan }, calls) => ran + calls > plan.limits.toolCalls,
  outputTokens: ({ usage, plan }) => usage.output >= plan.limits.outputTokens,
  cost: ({ cost = 0, plan }) => cost >= plan.limits.cost,
  // Kept by the signal, which reaches what runs.
  deadlineMs: () => false,
};
const order = Object.keys(reached) as Limit[];

/** The limit that keeps these calls from running. */
export const limitOn = (state: State, calls: number): Limit | undefined =>
  order.find((limit) => reached[limit](state, calls));

/** A move, unless what it takes is used up: a limit that is reached keeps the loop from asking again. */
export function within(move: Move, state: State): Move {
  if (move.act === "end" || (move.act === "answer" && move.salvaged === undefined)) return move;
  const limit =
    move.act === "answer"
      ? limitOn(state, 1)
      : order.find((name) => name !== "turns" && reached[name](state, 0));
  return limit === undefined ? move : atLimit(limit, "taken" in move ? move : {});
}
const atLimit = (limit: Limit, { taken }: Pick<End, "taken">): End => ({
  act: "end",
  ending: { status: "limit", limit },
  ...(taken && { taken }),
});

/** What a reply cost. A price that is no number would leave the limit unkept. */
export function costOf(price: Price, usage: Usage, from: Origin): number {
  const cost = price(usage, from);
  if (!(typeof cost === "number" && cost >= 0))
    throw new RangeError(`\`price\` must give a number from 0, not ${String(cost)}.`);
  return cost;
}

class DeadlineReached extends DOMException {
  constructor(ms: number) {
    super(`The run did not end within ${ms} ms.`, "TimeoutError");
  }
}
/** Was it the deadline that aborted, and not the caller? */
export const isAtDeadline = ({ reason }: AbortSignal, { status }: Ending): boolean =>
  status === "aborted" && reason instanceof DeadlineReached;

/** What ended the run, as it is told of its calls. */
export const endOf = ({ reason }: AbortSignal): string =>
  reason instanceof DeadlineReached ? "the run's deadline was reached" : "the run was aborted";

/** The run's signal, which its deadline aborts too. */
export function withDeadline(
  signal: AbortSignal,
  ms: number,
): { readonly signal: AbortSignal; readonly clear: () => void } {
  if (ms === Number.POSITIVE_INFINITY) return { signal, clear: () => undefined };
  const controller = new AbortController();
  const clear = startTimer(ms, () => controller.abort(new DeadlineReached(ms)));
  return { signal: AbortSignal.any([signal, controller.signal]), clear };
}
