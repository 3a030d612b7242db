import {
  type Adapter,
  appendMessage,
  frozenCopy,
  type Message,
  ProviderError,
  type ToolCall,
  type Turn,
  type UserMessage,
} from "@fullstop/core";
import { type Compact, compacted } from "./compaction.ts";
import { type Bench, dispatch } from "./dispatch.ts";
import { isApprovalRequest, unansweredHosted } from "./hosted.ts";
import { stepIn } from "./journal.ts";
import { type Limit, limitOn, limitWords } from "./limits.ts";
import type { GoOn, Move, Repeat } from "./move.ts";
import { type Ending, endingOf } from "./outcome.ts";
import { described } from "./output.ts";
import { noStreaks, type State } from "./state.ts";
import { answerNow, isStuck, observe, repetitions } from "./stuck.ts";

interface Running {
  readonly state: State;
  readonly bench: Omit<Bench, "declined">;
}
/** Throws a reply away, or adds it to the history with all that belongs to it. */
export async function take(
  turn: Turn,
  move: Move,
  { state, bench }: Running,
): Promise<Ending | undefined> {
  if (move.act === "repeat") return repeat(turn, move, { state, signal: bench.signal });
  if (move.taken !== undefined) dropChanges(state);
  if (move.act === "answer") return answer(turn, { state, bench });
  if (turn.message !== undefined) appendMessage(state.history, turn.message);
  return move.act === "end" ? (move.ending ?? endingOf(turn)) : goOn(turn, move, state);
}

async function repeat(
  turn: Turn,
  move: Repeat,
  { state, signal }: { state: State; signal: AbortSignal },
): Promise<Ending | undefined> {
  state.thrown = [...state.thrown, turn];
  state.changes = move.changes ?? state.changes;
  if (move.step === "raise-cap") state.raises++;
  if (move.adapter !== undefined) askInstead(move.adapter, state);
  state.waitMs = move.waitMs ?? 0;
  return move.compact && shrink(move.compact, state, signal);
}

/** What one adapter's cap came to says nothing of another's. */
function askInstead(adapter: Adapter, state: State): void {
  state.adapter = adapter;
  state.maxTokens = state.plan.asked.maxTokens;
  state.capIsFinal = false;
  state.raises = 0;
  state.changes = {};
}

async function shrink(
  compact: Compact,
  state: State,
  signal: AbortSignal,
): Promise<Ending | undefined> {
  try {
    const { plan, turn, history } = state;
    const step = { key: `${plan.runId}/${turn}/compaction`, kind: "compaction" } as const;
    const run = (): Promise<readonly Message[]> => compacted(compact, history, signal);
    state.history = (await stepIn(plan.journal, step, { run, passing: () => signal.aborted })).map(
      frozenCopy,
    );
    return undefined;
  } catch (cause) {
    const kind = "context-window";
    return {
      status: "failed",
      error: new ProviderError(
        `The context window is full, and \`compact\` did not help: ${described(cause)}`,
        { kind, cause },
      ),
    };
  }
}

/** A change that was refused is not asked for again. */
function dropChanges(state: State): void {
  state.capIsFinal ||= state.changes.maxTokens !== undefined;
  state.changes = {};
}

function goOn(turn: Turn, { streak, note }: GoOn, state: State): undefined {
  if (note !== undefined)
    appendMessage(state.history, { role: "user", content: note, by: "loop" } satisfies UserMessage);
  state.said = note === undefined || streak === "fragments" ? state.said + turn.text : "";
  state.streaks = { ...state.streaks, [streak]: state.streaks[streak] + 1 };
  nextTurn(state);
}

/** A raised cap stays raised; less effort was for one turn. */
function nextTurn(state: State): void {
  state.maxTokens = state.changes.maxTokens ?? state.maxTokens;
  state.changes = {};
  state.thrown = [];
  state.turn += 1;
}

/** Adds a reply and the results of its calls. */
export async function answer(turn: Turn, { state, bench }: Running): Promise<Ending | undefined> {
  const { calls } = turn;
  const limit = limitOn(state, calls.length);
  const error =
    limit === undefined && state.stuckOn === undefined
      ? unansweredHosted(calls, state.plan)
      : undefined;
  if (error !== undefined) return { status: "failed", error };
  state.astray = astrayAfter(calls, state);
  const declined = declinedOf(calls, state, limit);
  if (limit === undefined && state.stuckOn === undefined && declined.size > 0) {
    bench.emit({ type: "recovery", step: "stuck", stopReason: turn.stopReason });
  }
  const results = await dispatch(calls, { ...bench, declined });
  if ("later" in results) return { status: "waiting", calls: results.later };
  if (turn.message !== undefined) appendMessage(state.history, turn.message);
  appendMessage(state.history, results);
  state.said = "";
  if (bench.signal.aborted) return { status: "aborted" };
  if (limit !== undefined) return { status: "limit", limit };
  if (state.stuckOn !== undefined) return { status: "stuck", call: state.stuckOn };
  state.ran += calls.length;
  state.circles = observe(state.circles, { calls, results, declined });
  if (isStuck(state.circles) || isLost(state)) state.stuckOn = [...declined.keys()].at(-1);
  state.streaks = noStreaks;
  nextTurn(state);
  return undefined;
}

/**
 * So many turns in a row may call only tools that are not offered. Hosts send steps of their own as such calls, beside an answer that is
 * finished (xAI's search behind the Responses API), in every turn again.
 */
const mostAstray = 3;
const isLost = ({ astray }: State): boolean => astray >= mostAstray;
const astrayAfter = (calls: readonly ToolCall[], { astray, plan: { tools } }: State): number =>
  calls.every((call) => !tools.has(call.name) && !isApprovalRequest(call, tools)) ? astray + 1 : 0;

/** Calls that are answered without being run, and why. */
function declinedOf(
  calls: readonly ToolCall[],
  state: State,
  limit: Limit | undefined,
): ReadonlyMap<ToolCall, string> {
  const { plan, stuckOn, circles } = state;
  const all = (because: string): ReadonlyMap<ToolCall, string> =>
    new Map(calls.map((call) => [call, because]));
  if (limit !== undefined) return all(`this run's ${limitWords(limit, plan.limits)} is reached.`);
  if (stuckOn !== undefined) return all("no more tools can be called in this run.");
  if (isLost(state)) return all(`there is no tool of this name. ${answerNow}`);
  return repetitions(calls, circles, plan.tools);
}
