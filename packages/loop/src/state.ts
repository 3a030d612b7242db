import type { Adapter, Effort, Message, ToolCall, Turn, Usage } from "@fullstop/core";
import type { Plan } from "./options.ts";
import { type Circles, noCircles } from "./stuck.ts";

/** Remedies that are counted, until the model's calls run again. */
export type Streak = "cuts" | "malformed" | "fragments" | "pauses";

/** Where a run stands. Policies read it; only `drive` and `follow` write it. */
export interface State {
  readonly plan: Plan;
  history: Message[];
  /** The one that is asked: the plan's, or its fallback. */
  adapter: Adapter;
  /** The turn under way, from 1; 0 for the one that a run waited with. */
  turn: number;
  /** Requests for the turn under way. */
  asked: { readonly turn: number; readonly times: number };
  /** Milliseconds before the next of them. */
  waitMs: number;
  /** Replies to this turn that were thrown away. */
  thrown: readonly Turn[];
  /** What the next request of this turn asks differently. */
  changes: Changes;
  /** The cap to send, after it was raised. */
  maxTokens: number | undefined;
  /** The cap can grow no more: the host refused a larger one. */
  capIsFinal: boolean;
  /** How often the cap was raised in this run. */
  raises: number;
  streaks: Readonly<Record<Streak, number>>;
  /** Text of the replies that the next one continues. */
  said: string;
  usage: Usage;
  /** Of all replies, where there is a `price`. */
  cost: number | undefined;
  circles: Circles;
  /** Warnings did not help: this is the last turn, and no tool can be called in it. */
  stuckOn: ToolCall | undefined;
  /** Calls that the model made. */
  ran: number;
  /** Turns in a row whose calls all name tools that are not offered. */
  astray: number;
}
export interface Changes {
  readonly maxTokens?: number;
  readonly effort?: Effort;
}

export const noStreaks: Readonly<Record<Streak, number>> = {
  cuts: 0,
  malformed: 0,
  fragments: 0,
  pauses: 0,
};

export const begin = (plan: Plan): State => ({
  plan,
  history: [...plan.messages],
  adapter: plan.adapter,
  turn: plan.waiting === undefined ? 1 : 0,
  asked: { turn: 0, times: 0 },
  waitMs: 0,
  thrown: [],
  changes: {},
  maxTokens: plan.asked.maxTokens,
  capIsFinal: false,
  raises: 0,
  streaks: noStreaks,
  said: "",
  usage: { input: 0, output: 0 },
  cost: plan.price && 0,
  circles: noCircles,
  stuckOn: undefined,
  ran: 0,
  astray: 0,
});

/** `towardCap` says nothing of a sum. */
export function addUsage(sum: Usage, { input, output, cacheRead, cacheWrite }: Usage): Usage {
  const both = (a: number | undefined, b: number | undefined): number | undefined =>
    a === undefined && b === undefined ? undefined : (a ?? 0) + (b ?? 0);
  const read = both(sum.cacheRead, cacheRead);
  const write = both(sum.cacheWrite, cacheWrite);
  return {
    input: sum.input + input,
    output: sum.output + output,
    ...(read !== undefined && { cacheRead: read }),
    ...(write !== undefined && { cacheWrite: write }),
  };
}
