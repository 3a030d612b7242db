import type { ToolCall } from "@fullstop/core";
import type { Limit } from "../contract/limits.ts";
import { describeRepetition } from "../turn/repetition.ts";
import type { State } from "../turn/state.ts";
import { type NextAction, stop } from "./action.ts";
import { describeLimit, limitsInForce } from "./limits.ts";
import { answerNow, tryAnotherWay } from "./notes.ts";

/**
 * After this many turns in a row that call only tools which are not offered, the model is stuck.
 * Some hosts report their own steps as such calls, in every turn, beside a complete answer (xAI's
 * search behind the Responses API).
 */
const maxUnofferedTurns = 3;
export const callsOnlyUnoffered = ({ unofferedTurns }: State): boolean =>
  unofferedTurns >= maxUnofferedTurns;

/** Once stuck, this turn ends the run. Its calls still get a result: see `declinedCalls`. */
export function endWhenStuck(action: NextAction, { stuckOn }: State): NextAction {
  const isFinal =
    action.type === "stop" || action.type === "continue" || action.recovery === "salvage";
  if (stuckOn === undefined || !isFinal || action.reply.stopReason === "aborted") return action;
  return stop(action.reply, { status: "stuck", call: stuckOn });
}

/** Calls that get an error result instead of being run, each with the reason for the model. */
export function declinedCalls(
  calls: readonly ToolCall[],
  state: State,
  limit: Limit | undefined,
): ReadonlyMap<ToolCall, string> {
  const declineAll = (reason: string): ReadonlyMap<ToolCall, string> =>
    new Map(calls.map((call) => [call, reason]));
  if (limit !== undefined)
    return declineAll(`the run reached its ${describeLimit(limit, limitsInForce(state))}.`);
  if (state.stuckOn !== undefined) return declineAll("no tool can be called any more in this run.");
  if (callsOnlyUnoffered(state)) return declineAll(`no tool has this name. ${answerNow}`);
  return repeatedCalls(calls, state);
}

function repeatedCalls(
  calls: readonly ToolCall[],
  { config, repetition }: State,
): ReadonlyMap<ToolCall, string> {
  const repeated = calls.flatMap((call): (readonly [ToolCall, string])[] => {
    if (config.tools.get(call.name)?.polls) return [];
    const reason = describeRepetition(call, repetition);
    return reason === undefined ? [] : [[call, reason]];
  });
  const isLastWarning = repetition.warnings > 0 && repeated.length === calls.length;
  const advice = isLastWarning ? answerNow : tryAnotherWay;
  return new Map(repeated.map(([call, reason]) => [call, `${reason} ${advice}`]));
}
