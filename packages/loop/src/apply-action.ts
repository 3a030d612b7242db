import { appendMessage, type Message, ProviderError, type UserMessage } from "@fullstop/core";
import { frozenCopy, withoutLeakedCall } from "@fullstop/core/adapter";
import type { Ending } from "./contract/outcome.ts";
import type { Compact } from "./contract/ports.ts";
import { stepAt } from "./journal/keys.ts";
import { type Unrecorded, unrecorded } from "./journal/loop-lease.ts";
import type { Continue, NextAction, Retry } from "./recovery/action.ts";
import { callCompact } from "./recovery/compaction.ts";
import { fallbackFor } from "./recovery/failure.ts";
import { endingOf } from "./recovery/policy.ts";
import { runToolCalls } from "./run-tool-calls.ts";
import { beginNextTurn, fallBackTo, type RunContext, type State, turnKeyOf } from "./turn/state.ts";
import { afterRefusedOverrides, withOverrides } from "./turn/truncation-state.ts";
import { messageOf } from "./util/values.ts";

/** Changes the state as the action says. Returns an ending if the run is over. */
export async function applyAction(
  action: NextAction,
  state: State,
  context: RunContext,
): Promise<Ending | undefined> {
  if (action.type === "retry") return applyRetry(action, state, context);
  if (state.discardedTurns.includes(action.reply))
    state.truncation = afterRefusedOverrides(state.truncation);
  const { reply, acceptedTurn } = action;
  if (action.type === "run-tools")
    return runToolCalls(acceptedTurn, state, context, reply.stopReason);
  const ending = action.type === "stop" ? (action.ending ?? endingOf(reply)) : undefined;
  const isAnswer = ending?.status === "done";
  const { message } = isAnswer ? acceptedTurn : withoutLeakedCall(acceptedTurn);
  if (message !== undefined) appendMessage(state.history, message);
  if (action.type === "stop") return ending;
  return applyContinue(action, state);
}

async function applyRetry(
  { reply, overrides, adapter, waitMs = 0, compact }: Retry,
  state: State,
  { signal, emit }: RunContext,
): Promise<Ending | undefined> {
  state.discardedTurns = [...state.discardedTurns, reply];
  if (overrides !== undefined) state.truncation = withOverrides(state.truncation, overrides);
  if (adapter !== undefined) fallBackTo(adapter, state);
  state.waitMs = waitMs;
  if (compact === undefined) return undefined;
  const fallback = fallbackFor(reply, state);
  const ending = await compactHistory(compact, state, signal, fallback !== undefined);
  if (ending === undefined || fallback === undefined) return ending;
  emit({ type: "recovery", action: "fallback", stopReason: reply.stopReason });
  fallBackTo(fallback, state);
  return undefined;
}

/** With a fallback, a journal remembers that `compact` failed: a replay asks the same adapters. */
type Compaction = readonly Message[] | { readonly failed: string };

async function compactHistory(
  compact: Compact,
  state: State,
  signal: AbortSignal,
  hasFallback: boolean,
): Promise<Ending | undefined> {
  state.isCompacted = true;
  const { lease, history } = state;
  let cause: unknown;
  const run = async (): Promise<Compaction | Unrecorded<Compaction>> => {
    try {
      const smaller = await callCompact(compact, history, signal);
      return signal.aborted ? unrecorded(smaller) : smaller;
    } catch (thrown) {
      cause = thrown;
      const failed = { failed: messageOf(thrown) };
      return signal.aborted || !hasFallback ? unrecorded(failed) : failed;
    }
  };
  const { value: result } = await lease.step(stepAt("compaction", turnKeyOf(state)), { run });
  if ("failed" in result) return failedCompaction(result.failed, cause);
  state.history = result.map(frozenCopy);
  return undefined;
}

function failedCompaction(why: string, cause?: unknown): Ending {
  const message = `The context window is full, and \`recovery.compact\` did not help: ${why}`;
  return {
    status: "failed",
    error: new ProviderError(message, { kind: "context-window", cause }),
  };
}

function applyContinue({ acceptedTurn, kind, note }: Continue, state: State): undefined {
  if (note !== undefined)
    appendMessage(state.history, { role: "user", content: note, by: "loop" } satisfies UserMessage);
  const isTextContinued = note === undefined || kind === "cutTexts";
  state.textSoFar = isTextContinued ? state.textSoFar + acceptedTurn.text : "";
  state.recoveryCounts = { ...state.recoveryCounts, [kind]: state.recoveryCounts[kind] + 1 };
  beginNextTurn(state);
}
