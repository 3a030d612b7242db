import { explain, ProviderError, type StopReason, type Turn } from "@fullstop/core";
import type { EndedTurn, FailedTurn, ToolUseTurn } from "@fullstop/core/adapter";
import type { Ending } from "../contract/outcome.ts";
import type { State } from "../turn/state.ts";
import {
  continueRun,
  isLastTurn,
  mayRetry,
  type NextAction,
  retry,
  runTools,
  stop,
} from "./action.ts";
import { afterFailure, askFallback } from "./failure.ts";
import { enforceLimits } from "./limits.ts";
import { holdsMedia } from "./media.ts";
import { emptyReplyNote, malformedCallNote } from "./notes.ts";
import { afterAnswer, isObjectCut } from "./output.ts";
import { endWhenStuck } from "./stuck.ts";
import { afterLength, afterRefusedChange, tellAboutCut } from "./truncation.ts";

type TurnWith<Reason extends StopReason> = Reason extends "tool-use"
  ? ToolUseTurn
  : Reason extends FailedTurn["stopReason"]
    ? FailedTurn
    : EndedTurn;

interface Rule<T extends Turn> {
  readonly next: (turn: T, state: State) => NextAction;
  /** How the run ends if `next` stops it without an ending of its own. */
  readonly ending: (turn: T) => Ending;
}

/** What happens after each stop reason. */
const policy: { readonly [Reason in StopReason]: Rule<TurnWith<Reason>> } = {
  /**
   * End. An empty reply is requested once more, after a tool result with a note. A reply that is not
   * the object of `output`: tell the model.
   */
  stop: { next: afterStop, ending: () => ({ status: "done", output: undefined }) },
  /** Run the calls, then request the next turn. */
  "tool-use": { next: runTools, ending: () => ({ status: "limit", limit: "turns" }) },
  /**
   * A call was cut: raise the cap, tell the model, `salvage`. A text was cut: continue it. Neither
   * came: think less, then raise the cap if tools are offered.
   */
  length: { next: afterLength, ending: truncated },
  /**
   * Undo a larger cap, call `recovery.compact`, ask the fallback, or tell the model that its
   * call was cut.
   */
  "context-window": {
    next: (turn, state) => afterRefusedChange(state) ?? afterFullWindow(turn, state),
    ending: failed,
  },
  /** Send the turn back to the provider. */
  pause: { next: afterPause, ending: () => ({ status: "limit", limit: "pauses" }) },
  /** Ask the fallback. */
  refusal: { next: afterRefusal, ending: () => ({ status: "refused", by: "model" }) },
  "content-filter": { next: afterRefusal, ending: () => ({ status: "refused", by: "filter" }) },
  /** Tell the model, then ask the fallback. */
  "malformed-tool-call": { next: afterMalformedCall, ending: failed },
  /**
   * Undo a change that the provider refused, send the same request again if the kind of error
   * allows it, or ask the fallback.
   */
  error: { next: afterError, ending: failed },
  /** Send the same request again, ask the fallback, then `salvage`. */
  interrupted: { next: afterFailure, ending: failed },
  /** End. */
  aborted: { next: (turn) => stop(turn), ending: () => ({ status: "aborted" }) },
  /** Ask the fallback. */
  unknown: { next: (turn, state) => askFallback(turn, state) ?? stop(turn), ending: failed },
};

const ruleOf = (turn: Turn): Rule<Turn> => policy[turn.stopReason] as Rule<Turn>;

export function decide(turn: Turn, state: State): NextAction {
  const action =
    afterStopSequence(turn) ?? afterLeakedCall(turn, state) ?? ruleOf(turn).next(turn, state);
  return enforceLimits(endWhenStuck(action, state), state);
}

/** How a run ends if this is its last reply, and nothing else ended it. */
export const endingOf = (turn: Turn): Ending => ruleOf(turn).ending(turn);

/** The same stop sequence would cut the call again: only the program can remove it. */
const afterStopSequence = (turn: Turn): NextAction | undefined =>
  turn.withheld[0]?.reason === "stop-sequence"
    ? stop(turn, { status: "truncated", withheld: turn.withheld })
    : undefined;

function truncated({ withheld, text }: TurnWith<"length">): Ending {
  const isEmpty = withheld.length === 0 && text.trim() === "";
  return { status: "truncated", withheld, ...(isEmpty && { cause: "thinking" }) };
}

function failed({ error }: FailedTurn): Ending {
  return { status: "failed", error };
}

/**
 * A reply without text and media is requested once more. After tool results the same request would
 * mostly get the same reply, so the model gets a note: that is what Anthropic advises.
 * https://platform.claude.com/docs/en/build-with-claude/handling-stop-reasons
 */
function afterStop(turn: Turn, state: State): NextAction {
  if (state.answer !== undefined) return afterAnswer(turn, state.answer, state);
  if (`${state.textSoFar}${turn.text}`.trim() !== "" || holdsMedia(turn)) return stop(turn);
  const isSilent = stop(turn, { status: "done", empty: true, output: undefined });
  if (state.history.at(-1)?.role === "tool") {
    const action = continueRun(turn, state, "emptyReplies", emptyReplyNote);
    return action.type === "stop" ? isSilent : action;
  }
  const isFinal =
    state.recoveryCounts.emptyReplies > 0 ||
    state.discardedTurns.some(({ stopReason }) => stopReason === "stop");
  return isFinal || !mayRetry(turn, state) ? isSilent : retry(turn, "retry");
}

/** A turn without content cannot be sent back, so it is requested again. */
function afterPause(turn: Turn, state: State): NextAction {
  if (turn.message === undefined) return mayRetry(turn, state) ? retry(turn, "retry") : stop(turn);
  return isLastTurn(state)
    ? stop(turn, { status: "limit", limit: "turns" })
    : continueRun(turn, state, "pauses");
}

/** After a call that was cut the model gets a note: a smaller one may fit into the window. */
function afterFullWindow(turn: Turn, state: State): NextAction {
  const { compact } = state.config.recovery;
  if (compact !== undefined && !state.isCompacted && mayRetry(turn, state))
    return retry(turn, "compact", { compact });
  const fallback = askFallback(turn, state);
  if (fallback !== undefined) return fallback;
  return turn.withheld.length > 0 || isObjectCut(turn, state)
    ? tellAboutCut(turn, state)
    : stop(turn);
}

function afterRefusal(turn: Turn, state: State): NextAction {
  return askFallback(turn, state) ?? stop(turn);
}

function afterMalformedCall(turn: Turn, state: State): NextAction {
  const action = continueRun(turn, state, "malformedCalls", malformedCallNote(turn, state));
  return action.type === "stop" ? (askFallback(turn, state) ?? action) : action;
}

function afterError(turn: FailedTurn, state: State): NextAction {
  const isRefused = turn.error.kind === "invalid-request";
  return (isRefused ? afterRefusedChange(state) : undefined) ?? afterFailure(turn, state);
}

/**
 * A note, while there are notes left, then the fallback. A finished text that is still the same may
 * be an answer about calls, so it is one, with a mark.
 */
function afterLeakedCall(turn: Turn, state: State): NextAction | undefined {
  const { leakedCall } = turn;
  if (leakedCall === undefined) return undefined;
  const action = continueRun(turn, state, "leakedCalls", malformedCallNote(turn, state));
  if (action.type !== "stop") return action;
  const error = new ProviderError(explain(turn).person, { kind: "malformed-tool-call" });
  const isAnswer =
    turn.stopReason === "stop" && leakedCall.in === "text" && state.config.output === undefined;
  const ending: Ending = isAnswer
    ? { status: "done", leakedCall, output: undefined }
    : { status: "failed", error };
  return askFallback(turn, state) ?? stop(turn, ending);
}
