import type { Turn } from "@fullstop/core";
import type { Recovery } from "./event.ts";
import type { Ending } from "./outcome.ts";
import type { Changes, State, Streak } from "./state.ts";

/** What follows a reply. */
export type Move =
  /** The reply is thrown away and the turn asked for again. */
  | { readonly act: "repeat"; readonly step: Recovery; readonly changes?: Changes; readonly waitMs?: number }
  /** The reply stays, and another turn follows. */
  | { readonly act: "go-on"; readonly streak: Streak; readonly note?: string; readonly taken?: Turn }
  /** Its calls are answered. */
  | { readonly act: "answer" }
  /** `taken`: an earlier reply of this turn, which is taken after all. */
  | { readonly act: "end"; readonly ending?: Ending; readonly taken?: Turn };

/** How often a remedy is tried before the model's calls run again, and what it is called. */
export const remedies: Readonly<Record<Streak, { readonly step: Recovery; readonly most: number }>> = {
  cuts: { step: "tell-model", most: 2 },
  malformed: { step: "tell-model", most: 3 },
  fragments: { step: "continue", most: 3 },
  pauses: { step: "resume", most: 8 },
};

export const isLastTurn = ({ turn, plan }: State): boolean => turn >= plan.turns;

/** Another turn, while the remedy and the turns last. */
export const goOn = (state: State, streak: Streak, note?: string): Move =>
  isLastTurn(state) || state.streaks[streak] >= remedies[streak].most
    ? { act: "end" }
    : { act: "go-on", streak, ...(note !== undefined && { note }) };

/** Over all causes: a turn may cost so many requests. */
const requestsPerTurn = 3;
export const mayRepeat = ({ thrown }: State): boolean => thrown.length + 1 < requestsPerTurn;
