import { type Effort, explain, type Turn } from "@fullstop/core";
import { offered } from "./admission.ts";
import {
  type Answer,
  type End,
  end,
  type GoOn,
  goOn,
  type Move,
  mayRepeat,
  type Repeat,
} from "./move.ts";
import { endsInRepetition } from "./repetition.ts";
import { afterRemedies, beforeRemedies } from "./salvage.ts";
import type { State } from "./state.ts";

/** The output cap cut the reply: each remedy asks for something else than the request that was cut. */
export function afterLength(turn: Turn, state: State): Move {
  if (turn.withheld.length > 0)
    return beforeRemedies(turn, state) ?? raiseCap(turn, state) ?? tellOfCut(turn, state);
  if (endsInRepetition(turn.text)) return end;
  if (turn.text.trim() !== "") return goOn(state, "fragments", continueNote);
  return lessThinking(turn, state) ?? end;
}

/** The provider refused what was asked instead of a cut reply (a larger cap, less effort): that reply is taken after all. */
export function afterRefusedChange(state: State): Move | undefined {
  const cut = state.thrown.at(-1);
  if (cut?.stopReason !== "length") return undefined;
  const next = cut.withheld.length > 0 ? tellOfCut(cut, state) : end;
  return { ...next, taken: cut };
}

/** A note, while there are any left; then the tool may go on with what arrived. */
export function tellOfCut(turn: Turn, state: State): GoOn | End | Answer {
  const move = goOn(state, "cuts", cutNote(turn, state));
  return move.act === "end" ? (afterRemedies(turn, state) ?? move) : move;
}

function raiseCap(turn: Turn, state: State): Repeat | undefined {
  const maxTokens = largerCap(state);
  if (maxTokens === undefined || !mayRepeat(turn, state) || wasInVain(turn, state))
    return undefined;
  return { act: "repeat", step: "raise-cap", changes: { ...state.changes, maxTokens } };
}

/** So often a cap is doubled in a run if nobody knows how far it may go: to sixteen times of what it was. */
const mostRaises = 4;

/** Twice the cap that was sent, up to the model's. */
function largerCap({ adapter, changes, maxTokens, capIsFinal, raises }: State): number | undefined {
  const { ceiling, default: preset } = adapter.maxTokens ?? {};
  const sent = changes.maxTokens ?? maxTokens ?? preset;
  if (capIsFinal) return undefined;
  if (ceiling === undefined)
    return sent === undefined || raises >= mostRaises ? undefined : sent * 2;
  if (sent === undefined) return ceiling;
  return sent < ceiling ? Math.min(sent * 2, ceiling) : undefined;
}

/** A host that clamps the cap cuts at the same place again. */
function wasInVain(turn: Turn, { thrown, changes }: State): boolean {
  const before = thrown.at(-1);
  if (before === undefined || changes.maxTokens === undefined || turn.usage.output === 0)
    return false;
  return before.stopReason === "length" && turn.usage.output <= before.usage.output;
}

const lower: Readonly<Record<Effort, Effort | undefined>> = {
  high: "low",
  medium: "low",
  low: "none",
  none: undefined,
};

/** All of the reply was thinking. */
function lessThinking(turn: Turn, state: State): Repeat | undefined {
  const { plan, changes } = state;
  const effort = plan.asked.effort === undefined ? "low" : lower[plan.asked.effort];
  if (effort === undefined || changes.effort !== undefined || !mayRepeat(turn, state))
    return undefined;
  return { act: "repeat", step: "less-effort", changes: { ...changes, effort } };
}

const cutNote = (turn: Turn, { plan }: State): string =>
  `${explain(turn).model} Do not repeat the same call. Write a short skeleton first, then add the rest in several small tool calls. ${offered(plan.tools)}`;
const continueNote =
  "Your reply was cut off at the output limit. Continue exactly where it stops. Do not repeat what you have written.";
