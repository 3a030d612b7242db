import { appendMessage, type StopReason, type ToolCall, type Turn } from "@fullstop/core";
import type { RunConfig } from "./config/run-config.ts";
import { dispatch } from "./dispatch/dispatch.ts";
import { isApprovalRequest, missingExecuteError } from "./dispatch/native-tools.ts";
import { withSalvageNotice } from "./dispatch/salvage-notice.ts";
import type { Ending } from "./outcome.ts";
import { mayContinue } from "./recovery/action.ts";
import { limitOnCalls, reachedLimit } from "./recovery/limits.ts";
import { callsOnlyUnoffered, declinedCalls } from "./recovery/stuck.ts";
import { misplacedOutputCalls, outputIssues } from "./turn/output-calls.ts";
import { isOutputCall, toolsInTurn } from "./turn/output-request.ts";
import { type AnsweredCalls, isStuck, recordCalls } from "./turn/repetition-history.ts";
import { beginNextTurn, noRecoveries, type RunContext, type State, turnKey } from "./turn/state.ts";

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
  const config = { ...state.config, tools: toolsInTurn(state.config, state.outputMode) };
  const limit = limitOnCalls(calls, config.tools, state);
  const isLast = limit !== undefined || state.stuckOn !== undefined;
  const error = isLast ? undefined : missingExecuteError(calls, config);
  if (error !== undefined) return { status: "failed", error };
  state.unofferedTurns = areAllUnoffered(calls, config) ? state.unofferedTurns + 1 : 0;
  const declined = declinedCalls(calls, state, limit);
  if (!isLast && declined.size > 0)
    emit({ type: "recovery", action: "stuck", stopReason: turn.stopReason });
  const answered = await dispatch(calls, {
    config: withSalvageNotice(config, turn, cause),
    signal,
    emit,
    key: turnKey(state),
    declined: new Map([...misplacedOutputCalls(calls, config), ...declined]),
  });
  if ("later" in answered) return { status: "waiting", calls: answered.later };
  const { results, ended } = answered;
  if (turn.message !== undefined) appendMessage(state.history, turn.message);
  appendMessage(state.history, results);
  state.textSoFar = "";
  if (signal.aborted) return { status: "aborted" };
  if (ended !== undefined) return { status: "done", output: ended.output };
  if (limit !== undefined) return { status: "limit", limit };
  if (state.stuckOn !== undefined) return { status: "stuck", call: state.stuckOn };
  const issues = await outputIssues(calls, results, config);
  const ending = issues && afterInvalidCall(issues, state, emit);
  if (ending !== undefined) return ending;
  return beginTurnAfter({ calls, results, declined }, state, issues !== undefined);
}

/** The results of the calls tell the model what is wrong with its object, so no note is needed. */
function afterInvalidCall(
  issues: readonly string[],
  state: State,
  emit: RunContext["emit"],
): Ending | undefined {
  if (!mayContinue(state, "invalidOutputs", true)) return { status: "invalid-output", issues };
  emit({ type: "recovery", action: "tell-model", stopReason: "tool-use" });
  return undefined;
}

/** Calls of tools with `ends` run although a limit is reached. If none succeeded, it ends the run. */
function beginTurnAfter(
  answered: AnsweredCalls,
  state: State,
  isOutputInvalid: boolean,
): Ending | undefined {
  const limit = reachedLimit(state, 0);
  if (limit !== undefined) return { status: "limit", limit };
  recordProgress(state, answered, isOutputInvalid);
  beginNextTurn(state);
  return undefined;
}

function recordProgress(state: State, answered: AnsweredCalls, isOutputInvalid: boolean): void {
  const { config, recoveryCounts } = state;
  state.toolCallCount += answered.calls.filter((call) => !isOutputCall(call, config)).length;
  state.repetition = recordCalls(state.repetition, answered);
  const invalidOutputs = isOutputInvalid ? recoveryCounts.invalidOutputs + 1 : 0;
  state.recoveryCounts = { ...noRecoveries, invalidOutputs };
  if (isStuck(state.repetition) || callsOnlyUnoffered(state))
    state.stuckOn = [...answered.declined.keys()].at(-1);
}

const areAllUnoffered = (
  calls: readonly ToolCall[],
  { tools }: Pick<RunConfig, "tools">,
): boolean => calls.every((call) => !tools.has(call.name) && !isApprovalRequest(call, tools));
