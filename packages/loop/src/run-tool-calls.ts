import { appendMessage, type StopReason, type ToolCall, type Turn } from "@fullstop/core";
import type { RunConfig } from "./config/run-config.ts";
import type { Limit } from "./contract/limits.ts";
import type { Ending } from "./contract/outcome.ts";
import { type DispatchedTurn, dispatch } from "./dispatch/dispatch.ts";
import { isApprovalRequest, missingExecuteError } from "./dispatch/native-tools.ts";
import { salvageNotice } from "./dispatch/salvage-notice.ts";
import { noLease } from "./journal/loop-lease.ts";
import { mayContinue } from "./recovery/action.ts";
import { limitOnCalls, reachedLimit } from "./recovery/limits.ts";
import { callsOnlyUnoffered, declinedCalls } from "./recovery/stuck.ts";
import { isOutputCall, misplacedOutputCalls, outputIssues, toolsInTurn } from "./turn/output.ts";
import { type AnsweredCalls, isStuck, recordCalls } from "./turn/repetition.ts";
import {
  beginNextTurn,
  noRecoveries,
  type RunContext,
  type State,
  turnKeyOf,
} from "./turn/state.ts";
import { aborted, unlessAborted } from "./util/abort.ts";

/** `cause` is the stop reason of a reply whose call a tool completed (`salvage`). */
export async function runToolCalls(
  turn: Turn,
  state: State,
  { signal, emit, nested }: RunContext,
  cause?: StopReason,
): Promise<Ending | undefined> {
  const { calls } = turn;
  const config = { ...state.config, tools: toolsInTurn(state.config, state.outputMode) };
  const limit = limitOnCalls(calls, config.tools, state);
  const ending = endingWithoutCalls(limit, state);
  const error = ending === undefined ? missingExecuteError(calls, config) : undefined;
  if (error !== undefined) return { status: "failed", error };
  state.unofferedTurns = areAllUnoffered(calls, config) ? state.unofferedTurns + 1 : 0;
  const declined = declinedCalls(calls, { ...state, config }, limit);
  if (ending === undefined && declined.size > 0)
    emit({ type: "recovery", action: "stuck", stopReason: turn.stopReason });
  const answered = await dispatch(calls, {
    config,
    notice: salvageNotice(config, turn, cause),
    signal,
    emit,
    nested,
    lease: state.lease,
    turnKey: turnKeyOf(state),
    namesCallsByKey: config.isNested || repeatsIds(calls, state),
    declined: new Map([...misplacedOutputCalls(calls, config), ...declined]),
  });
  if (answered.do === "wait") return endWaiting(answered, state, signal);
  const { results, ended } = answered;
  if (turn.message !== undefined) appendMessage(state.history, turn.message);
  appendMessage(state.history, results);
  state.textSoFar = "";
  if (signal.aborted) return { status: "aborted" };
  if (ended !== undefined) return { status: "done", output: ended.output };
  return ending ?? beginTurnAfter(turn, { calls, results, declined }, state, { signal, emit });
}

/** After a compaction, a call may have the id of an older one. */
function repeatsIds(calls: readonly ToolCall[], { callIds, lease }: State): boolean {
  const repeats = calls.some(({ id }) => callIds.has(id));
  for (const { id } of calls) callIds.add(id);
  return repeats && lease !== noLease;
}

function endWaiting(
  { waitsFor, hasRunOthers }: Extract<DispatchedTurn, { readonly do: "wait" }>,
  state: State,
  signal: AbortSignal,
): Ending {
  state.mustUseJournal = hasRunOthers;
  return signal.aborted ? { status: "aborted" } : { status: "waiting", calls: waitsFor };
}

/** How the run ends if no call of this turn may run. */
function endingWithoutCalls(limit: Limit | undefined, { stuckOn }: State): Ending | undefined {
  if (limit !== undefined) return { status: "limit", limit };
  return stuckOn && { status: "stuck", call: stuckOn };
}

/** A limit may be reached in a sub-agent, or by calls that would have ended the run. */
async function beginTurnAfter(
  turn: Turn,
  answered: AnsweredCalls,
  state: State,
  { signal, emit }: Pick<RunContext, "signal" | "emit">,
): Promise<Ending | undefined> {
  const { calls, results } = answered;
  const issues = await unlessAborted(outputIssues(calls, results, state.config), signal);
  if (issues === aborted) return { status: "aborted" };
  if (issues !== undefined && !mayContinue(state, "invalidOutputs", true))
    return { status: "invalid-output", issues };
  const limit = reachedLimit(state, 0);
  if (limit !== undefined) return { status: "limit", limit };
  recordProgress(state, answered, issues !== undefined);
  const ending = await callStopWhen(turn, state, signal);
  if (ending !== undefined) return ending;
  if (issues !== undefined) {
    emit({ type: "recovery", action: "tell-model", stopReason: turn.stopReason });
    state.requestedBy = "tell-model";
  }
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

/** Rejects for an answer that is not a boolean: a missing `return` would never stop the run. */
export async function callStopWhen(
  turn: Turn,
  state: State,
  signal: AbortSignal,
): Promise<Ending | undefined> {
  const { config, history, turnNumber, usage, cost } = state;
  const end = {
    turn,
    turns: turnNumber,
    messages: [...history],
    usage,
    ...(cost !== undefined && { cost }),
  };
  for (const stopWhen of config.stopWhen) {
    const answer = await unlessAborted((async () => stopWhen(end))(), signal);
    if (answer === aborted) return { status: "aborted" };
    if (typeof answer !== "boolean")
      throw new TypeError(`\`stopWhen\` must return true or false, not ${typeof answer}.`);
    if (answer) return { status: "stopped" };
  }
  return undefined;
}
