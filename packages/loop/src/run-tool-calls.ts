import { appendMessage, type StopReason, type ToolCall, type Turn } from "@fullstop/core";
import { dispatch } from "./dispatch/dispatch.ts";
import { isApprovalRequest, missingExecuteError } from "./dispatch/native-tools.ts";
import { salvageNotice } from "./dispatch/salvage-notice.ts";
import type { Ending } from "./outcome.ts";
import { reachedLimit } from "./recovery/limits.ts";
import { callsOnlyUnoffered, declinedCalls } from "./recovery/stuck.ts";
import { type AnsweredCalls, isStuck, recordCalls } from "./turn/repetition-history.ts";
import { beginNextTurn, noRecoveries, type RunContext, type State, turnKey } from "./turn/state.ts";
import { callStopWhen } from "./turn/stop-when.ts";

/**
 * Runs the calls of a turn, and adds the turn and the results to the conversation. Returns an
 * ending if the run is over. `cause` is the stop reason of the reply if a tool completed its call
 * (`salvage`).
 */
export async function runToolCalls(
  turn: Turn,
  state: State,
  { signal, emit }: RunContext,
  cause?: StopReason,
): Promise<Ending | undefined> {
  const { calls } = turn;
  const { config } = state;
  const limit = reachedLimit(state, calls.length);
  const isLast = limit !== undefined || state.stuckOn !== undefined;
  const error = isLast ? undefined : missingExecuteError(calls, config);
  if (error !== undefined) return { status: "failed", error };
  state.unofferedTurns = areAllUnoffered(calls, state) ? state.unofferedTurns + 1 : 0;
  const declined = declinedCalls(calls, state, limit);
  if (!isLast && declined.size > 0)
    emit({ type: "recovery", action: "stuck", stopReason: turn.stopReason });
  const results = await dispatch(calls, {
    config,
    notice: salvageNotice(config, turn, cause),
    signal,
    emit,
    key: turnKey(state),
    declined,
  });
  if ("later" in results) return { status: "waiting", calls: results.later };
  if (turn.message !== undefined) appendMessage(state.history, turn.message);
  appendMessage(state.history, results);
  state.textSoFar = "";
  if (signal.aborted) return { status: "aborted" };
  if (limit !== undefined) return { status: "limit", limit };
  if (state.stuckOn !== undefined) return { status: "stuck", call: state.stuckOn };
  recordProgress(state, { calls, results, declined });
  const ending = await callStopWhen(turn, state, signal);
  if (ending !== undefined) return ending;
  beginNextTurn(state);
  return undefined;
}

function recordProgress(state: State, answered: AnsweredCalls): void {
  state.toolCallCount += answered.calls.length;
  state.repetition = recordCalls(state.repetition, answered);
  state.recoveryCounts = noRecoveries;
  if (isStuck(state.repetition) || callsOnlyUnoffered(state))
    state.stuckOn = [...answered.declined.keys()].at(-1);
}

const areAllUnoffered = (calls: readonly ToolCall[], { config: { tools } }: State): boolean =>
  calls.every((call) => !tools.has(call.name) && !isApprovalRequest(call, tools));
