import type { Turn } from "@fullstop/core";
import type { Answer } from "../turn/output.ts";
import type { State } from "../turn/state.ts";
import { aborted } from "../util/abort.ts";
import { continueRun, mayRetry, type NextAction, retry, stop } from "./action.ts";
import { holdsMedia } from "./media.ts";
import { callOutputNote, invalidOutputNote } from "./notes.ts";

/** An empty reply is requested once more. If the reply is not the object, the model gets a note. */
export function afterAnswer(turn: Turn, answer: Answer, state: State): NextAction {
  if (answer === aborted) return stop(turn, { status: "aborted" });
  if ("value" in answer) return stop(turn, { status: "done", output: answer.value });
  const wasEmpty = state.discardedTurns.some(({ stopReason }) => stopReason === "stop");
  const isEmpty = turn.text.trim() === "" && !holdsMedia(turn);
  if (isEmpty && !wasEmpty && mayRetry(turn, state)) return retry(turn, "retry");
  const { issues } = answer;
  const note = state.outputMode === "tool" ? callOutputNote(state) : invalidOutputNote(issues);
  const action = continueRun(turn, state, "invalidOutputs", note);
  return action.type === "stop" ? stop(turn, { status: "invalid-output", issues }) : action;
}

/** Whether the cap cut an object. It must be written again as a whole. */
export const isObjectCut = (turn: Turn, { outputMode }: State): boolean =>
  outputMode === "format" && turn.withheld.length === 0 && turn.text.trim() !== "";

/** A text was cut where a call of the output tool was asked for: continuing it would not help. */
export const tellToCallOutput = (turn: Turn, state: State): NextAction =>
  continueRun(turn, state, "invalidOutputs", callOutputNote(state));
