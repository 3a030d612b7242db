import { explain, type StopReason, type Turn } from "@fullstop/core";
import { offered } from "./admission.ts";
import { afterFailure } from "./attempts.ts";
import { within } from "./limits.ts";
import { end, goOn, isLastTurn, type Move, mayRepeat } from "./move.ts";
import type { TurnOf } from "./outcome.ts";
import type { State } from "./state.ts";
import { afterLength, afterRefusedChange, tellOfCut } from "./truncation.ts";

type Policies = { readonly [Reason in StopReason]: (turn: TurnOf<Reason>, state: State) => Move };
const policies: Policies = {
  stop: afterStop,
  "tool-use": () => ({ act: "answer" }),
  length: afterLength,
  "context-window": (turn, state) => afterRefusedChange(state) ?? afterFullWindow(turn, state),
  pause: afterPause,
  refusal: afterRefusal,
  "content-filter": afterRefusal,
  "malformed-tool-call": (turn, state) => goOn(state, "malformed", malformedNote(turn, state)),
  error: (turn, state) =>
    (turn.error.kind === "invalid-request" ? afterRefusedChange(state) : undefined) ??
    afterFailure(turn, state),
  interrupted: afterFailure,
  aborted: () => end,
  unknown: () => end,
};

/** What follows a reply, by why it ended. */
export const moveAfter = (turn: Turn, state: State): Move =>
  within(
    lastWord(
      (policies[turn.stopReason] as (turn: Turn, state: State) => Move)(turn, state),
      turn,
      state,
    ),
    state,
  );

/** Whatever the model says when it is stuck, it was told to be its last. */
function lastWord(move: Move, { stopReason }: Turn, { stuckOn }: State): Move {
  if (
    stuckOn === undefined ||
    stopReason === "aborted" ||
    move.act === "repeat" ||
    (move.act === "answer" && move.salvaged === undefined)
  )
    return move;
  return {
    act: "end",
    ending: { status: "stuck", call: stuckOn },
    ...(move.taken && { taken: move.taken }),
  };
}

/** A model that says nothing may be done, after results; before any it is asked once more. */
function afterStop(turn: Turn, state: State): Move {
  if (`${state.said}${turn.text}`.trim() !== "") return end;
  const said =
    turn.withheld.length > 0 ||
    state.history.at(-1)?.role === "tool" ||
    state.thrown.some((thrown) => thrown.stopReason === "stop");
  return said || !mayRepeat(turn, state)
    ? { act: "end", ending: { status: "done", empty: true } }
    : { act: "repeat", step: "retry" };
}

/** The turn is sent back. One of which nothing came cannot be: that request is made again. */
function afterPause(turn: Turn, state: State): Move {
  if (turn.message === undefined)
    return mayRepeat(turn, state) ? { act: "repeat", step: "retry" } : end;
  return isLastTurn(state)
    ? { act: "end", ending: { status: "limit", limit: "turns" } }
    : goOn(state, "pauses");
}

/** A smaller conversation, once a turn. If there is none, a call that was cut is told to the model: a smaller one may fit into what is left. */
function afterFullWindow(turn: Turn, state: State): Move {
  const { compact } = state.plan;
  const tried = state.thrown.some(({ stopReason }) => stopReason === "context-window");
  if (compact !== undefined && !tried && mayRepeat(turn, state))
    return { act: "repeat", step: "compact", compact };
  return turn.withheld.length > 0 ? tellOfCut(turn, state) : end;
}

/** Another model may answer where this one, or its host, did not; once a run. */
function afterRefusal(turn: Turn, state: State): Move {
  const { fallback } = state.plan;
  if (fallback === undefined || state.adapter === fallback || !mayRepeat(turn, state)) return end;
  return { act: "repeat", step: "fallback", adapter: fallback };
}

const malformedNote = (turn: Turn, { plan }: State): string =>
  `${explain(turn).model} Call a tool with one complete JSON object as its input, or answer in text. ${offered(plan.tools)}`;
