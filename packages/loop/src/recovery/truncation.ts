import type { Effort, Turn } from "@fullstop/core";
import { isOutputCall } from "../turn/output.ts";
import { endsInRepetition } from "../turn/repetition.ts";
import type { State } from "../turn/state.ts";
import { largerCap } from "../turn/truncation-state.ts";
import { continueRun, mayRetry, type NextAction, type Retry, retry, stop } from "./action.ts";
import { continueTextNote, cutCallNote, cutObjectNote } from "./notes.ts";
import { isObjectCut, tellToCallOutput } from "./output.ts";
import { salvageFirst, salvageLast } from "./salvage.ts";

/** The same request is never sent again: each recovery changes something. */
export function afterLength(turn: Turn, state: State): NextAction {
  if (turn.withheld.length > 0)
    return salvageFirst(turn, state) ?? raiseCap(turn, state) ?? tellAboutCut(turn, state);
  if (endsInRepetition(turn.text)) return stop(turn);
  if (isObjectCut(turn, state)) return raiseCap(turn, state) ?? tellAboutCut(turn, state);
  if (turn.text.trim() !== "") {
    return state.outputMode === "tool"
      ? tellToCallOutput(turn, state)
      : continueRun(turn, state, "cutTexts", continueTextNote);
  }
  return (
    reduceThinking(turn, state) ??
    (offersTools(state) ? raiseCap(turn, state) : undefined) ??
    stop(turn)
  );
}

/** Some servers send nothing of a call that the cap cut, as MLX and Ollama do. */
const offersTools = ({ config: { request }, stuckOn }: State): boolean =>
  (request.tools ?? []).length > 0 && request.toolChoice !== "none" && stuckOn === undefined;

/** The provider refused a larger cap or less effort: the earlier reply is accepted after all. */
export function afterRefusedChange(state: State): NextAction | undefined {
  const cut = state.discardedTurns.at(-1);
  if (cut?.stopReason !== "length") return undefined;
  return cut.withheld.length > 0 || isObjectCut(cut, state) ? tellAboutCut(cut, state) : stop(cut);
}

/** A note to the model, while there are notes left; then `salvage`. */
export function tellAboutCut(turn: Turn, state: State): NextAction {
  const isObject =
    isObjectCut(turn, state) || turn.withheld.some((call) => isOutputCall(call, state.config));
  const note = isObject ? cutObjectNote(turn) : cutCallNote(turn, state);
  const action = continueRun(turn, state, "cutCalls", note);
  return action.type === "stop" ? (salvageLast(turn, state) ?? action) : action;
}

function raiseCap(turn: Turn, state: State): Retry | undefined {
  const { capRaises } = state.config.recovery;
  const maxTokens = largerCap(state.truncation, state.adapter, capRaises);
  if (maxTokens === undefined || !mayRetry(turn, state) || hasHostClampedCap(turn, state))
    return undefined;
  return retry(turn, "raise-cap", {
    overrides: { ...state.truncation.requestOverrides, maxTokens },
  });
}

/** The cap was raised, but the reply was cut at the same place again. */
function hasHostClampedCap(turn: Turn, { discardedTurns, truncation }: State): boolean {
  const before = discardedTurns.at(-1);
  const wasRaised = truncation.requestOverrides.maxTokens !== undefined;
  if (before === undefined || !wasRaised || turn.usage.output === 0) return false;
  return before.stopReason === "length" && turn.usage.output <= before.usage.output;
}

const lowerEffort: Readonly<Record<Effort, Effort | undefined>> = {
  high: "low",
  medium: "low",
  low: "none",
  none: undefined,
};

/** The reply has no text and no call: most models that do so were thinking. */
function reduceThinking(turn: Turn, state: State): Retry | undefined {
  const { requestOverrides } = state.truncation;
  const sent = state.config.request.effort;
  const effort = sent === undefined ? "low" : lowerEffort[sent];
  if (effort === undefined || requestOverrides.effort !== undefined || !mayRetry(turn, state))
    return undefined;
  return retry(turn, "less-effort", { overrides: { ...requestOverrides, effort } });
}
