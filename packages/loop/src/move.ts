import type { Adapter, ToolUseTurn, Turn } from "@fullstop/core";
import type { Compact } from "./compaction.ts";
import type { Recovery } from "./event.ts";
import type { Ending } from "./outcome.ts";
import type { Changes, State, Streak } from "./state.ts";

/** The reply is thrown away and the turn asked for again. */
export interface Repeat {
  readonly act: "repeat";
  readonly step: Recovery;
  readonly changes?: Changes;
  readonly waitMs?: number;
  /** From here on another adapter is asked. */
  readonly adapter?: Adapter;
  /** Of a smaller conversation. */
  readonly compact?: Compact;
}
interface Taking {
  /** Not the last reply, but an earlier one of this turn, which is taken after all. */
  readonly taken?: Turn;
}
/** The reply stays, and another turn follows. */
export interface GoOn extends Taking {
  readonly act: "go-on";
  readonly streak: Streak;
  readonly note?: string;
}
export interface End extends Taking {
  readonly act: "end";
  readonly ending?: Ending;
}
/** The calls of the reply are answered; `salvaged`: those of the turn that a tool made of it. */
export interface Answer extends Taking {
  readonly act: "answer";
  readonly salvaged?: ToolUseTurn;
}
/** What follows a reply. */
export type Move = Repeat | GoOn | End | Answer;

/** How often a remedy is tried before the model's calls run again, and what it is called. */
export const remedies: Readonly<
  Record<Streak, { readonly step: Recovery; readonly most: number }>
> = {
  cuts: { step: "tell-model", most: 2 },
  malformed: { step: "tell-model", most: 3 },
  fragments: { step: "continue", most: 3 },
  pauses: { step: "resume", most: 8 },
};

export const isLastTurn = ({ turn, plan }: State): boolean => turn >= plan.limits.turns;

export const end: End = { act: "end" };

/** Another turn, while the remedy and the turns last. `attempts.notes` counts notes to the model; a paused turn goes back without one. */
export function goOn(state: State, streak: Streak, note?: string): GoOn | End {
  const most =
    (note === undefined ? undefined : state.plan.attempts.notes) ?? remedies[streak].most;
  if (isLastTurn(state) || state.streaks[streak] >= most) return end;
  return { act: "go-on", streak, ...(note !== undefined && { note }) };
}

/** Over all causes; never what the provider's own tools may have done already. */
export const mayRepeat = ({ sideEffects: effects }: Turn, { thrown, plan }: State): boolean =>
  !effects && thrown.length + 1 < plan.attempts.requests;
