import {
  appendMessage,
  type Effort,
  readTurn,
  type StopReason,
  type ToolCall,
  type Turn,
  type TurnRequest,
  type UserMessage,
} from "@fullstop/core";
import { pause } from "./attempts.ts";
import { type Bench, dispatch } from "./dispatch.ts";
import type { RunEvent } from "./event.ts";
import { recognise } from "./journal.ts";
import { costOf, isAtDeadline, type Limit, limitOn, limitWords, withDeadline } from "./limits.ts";
import { type GoOn, type Move, type Repeat, remedies } from "./move.ts";
import type { Plan } from "./options.ts";
import { type Ending, endingOf, type Outcome, summaryOf } from "./outcome.ts";
import { moveAfter } from "./policy.ts";
import { replyFrom } from "./reply.ts";
import { withNote } from "./salvage.ts";
import { addUsage, begin, noStreaks, type State } from "./state.ts";
import { listen } from "./steering.ts";
import { isStuck, observe, repetitions } from "./stuck.ts";

/** The run's connections to the outside. */
export interface Wiring {
  readonly signal: AbortSignal;
  readonly emit: (event: RunEvent) => void;
}

/** Asks, reads, answers, until a reply ends the run. */
export async function drive(plan: Plan, wiring: Wiring): Promise<Outcome> {
  const state = begin(plan);
  const { signal, clear } = withDeadline(wiring.signal, plan.limits.deadlineMs);
  try {
    const { turn, ending } = await turns(state, { ...wiring, signal });
    return outcomeOf(state, turn, isAtDeadline(signal, ending) ? { status: "limit", limit: "deadlineMs" } : ending);
  } finally {
    clear();
  }
}

interface Last {
  readonly turn: Turn;
  readonly ending: Ending;
}
async function turns(state: State, wiring: Wiring): Promise<Last> {
  const { plan } = state;
  const { runId: run, journal, waiting } = plan;
  await recognise(journal, run, waiting === undefined ? plan.messages : [...plan.messages, waiting.turn.message]);
  if (waiting !== undefined) {
    const { turn } = waiting;
    const ending = await answer(turn, state, { ...wiring, plan: heard(plan, turn), key: `${run}/0` });
    if (ending !== undefined) return { turn, ending };
  }
  for (;;) {
    if (state.thrown.length === 0) await listen(plan, state.history, `${run}/${state.turn}`);
    const turn = await ask(state, wiring);
    const move = moveAfter(turn, state);
    announce(turn, move, wiring);
    const taken = takenOf(turn, move);
    const told = heard(plan, taken, ("taken" in move ? move.taken : undefined)?.stopReason ?? turn.stopReason);
    const ending = await take(taken, move, { state, bench: { ...wiring, plan: told, key: `${run}/${state.turn}` } });
    if (ending !== undefined) return { turn: taken, ending };
  }
}

/** The turn that counts: as a rule the last reply. */
function takenOf(turn: Turn, move: Move): Turn {
  if (move.act === "repeat") return turn;
  return (move.act === "answer" ? move.salvaged : undefined) ?? move.taken ?? turn;
}

/** What is told of a call that its tool completed begins with why. */
const heard = (plan: Plan, turn: Turn, because?: StopReason): Plan => ({ ...plan, tools: withNote(plan.tools, turn, because) });

interface Running {
  readonly state: State;
  readonly bench: Omit<Bench, "declined">;
}
/** Throws a reply away, or adds it to the history with all that belongs to it. */
async function take(turn: Turn, move: Move, { state, bench }: Running): Promise<Ending | undefined> {
  if (move.act === "repeat") return repeat(turn, move, { state, signal: bench.signal });
  if (move.taken !== undefined) dropChanges(state);
  if (move.act === "answer") return answer(turn, state, bench);
  if (turn.message !== undefined) appendMessage(state.history, turn.message);
  return move.act === "end" ? (move.ending ?? endingOf(turn)) : goOn(turn, move, state);
}

async function ask(state: State, { signal, emit }: Wiring): Promise<Turn> {
  const { adapter, idleMs, price, journal } = state.plan;
  const read = (): Promise<Turn> => readTurn(adapter, request(state), { signal, onPreview: emit, idleMs });
  const turn = await replyFrom(journal, keyOfRequest(state), read);
  state.usage = addUsage(state.usage, turn.usage);
  if (price !== undefined) state.cost = (state.cost ?? 0) + costOf(price, turn.usage, adapter);
  return turn;
}

/** Each request for a turn is a step of its own. */
function keyOfRequest(state: State): string {
  const { asked, turn, plan } = state;
  const times = asked.turn === turn ? asked.times + 1 : 1;
  state.asked = { turn, times };
  return `${plan.runId}/${turn}/model${times === 1 ? "" : `/${times}`}`;
}

function request({ plan, history, turn, changes, maxTokens, stuckOn }: State): TurnRequest {
  const { asked } = plan;
  const forced = asked.toolChoice === "required" || typeof asked.toolChoice === "object";
  const effort: Effort | undefined = changes.effort ?? asked.effort;
  return {
    ...asked,
    messages: [...history],
    toolChoice: stuckOn !== undefined ? "none" : forced && turn > 1 ? "auto" : asked.toolChoice,
    maxTokens: changes.maxTokens ?? maxTokens,
    effort,
  };
}

function announce(turn: Turn, move: Move, { emit }: Wiring): void {
  const taken = takenOf(turn, move);
  emit({ type: "turn", turn, kept: move.act !== "repeat" && taken === turn });
  if (taken !== turn) emit({ type: "turn", turn: taken, kept: true });
  if (move.act === "repeat") emit({ type: "recovery", step: move.step, because: turn.stopReason });
  if (move.act === "go-on") emit({ type: "recovery", step: remedies[move.streak].step, because: taken.stopReason });
  if (move.act === "answer" && move.salvaged !== undefined) {
    emit({ type: "recovery", step: "salvage", because: (move.taken ?? turn).stopReason });
  }
}

async function repeat(turn: Turn, move: Repeat, { state, signal }: { state: State; signal: AbortSignal }): Promise<undefined> {
  state.thrown = [...state.thrown, turn];
  state.changes = move.changes ?? state.changes;
  state.capIsFinal ||= move.step === "raise-cap" && state.plan.adapter.maxTokens?.ceiling === undefined;
  await pause(move.waitMs ?? 0, signal);
}

/** A change that was refused is not asked for again. */
function dropChanges(state: State): void {
  state.capIsFinal ||= state.changes.maxTokens !== undefined;
  state.changes = {};
}

function goOn(turn: Turn, { streak, note }: GoOn, state: State): undefined {
  if (note !== undefined) appendMessage(state.history, { role: "user", content: note, by: "loop" } satisfies UserMessage);
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

async function answer(turn: Turn, state: State, bench: Omit<Bench, "declined">): Promise<Ending | undefined> {
  const { calls } = turn;
  const limit = limitOn(state, calls.length);
  const declined = declinedOf(calls, state, limit);
  if (limit === undefined && state.stuckOn === undefined && declined.size > 0) {
    bench.emit({ type: "recovery", step: "stuck", because: turn.stopReason });
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
  if (isStuck(state.circles)) state.stuckOn = [...declined.keys()].at(-1);
  state.streaks = noStreaks;
  nextTurn(state);
  return undefined;
}

/** Calls that are answered without being run, and why. */
function declinedOf(
  calls: readonly ToolCall[],
  { plan, stuckOn, circles }: State,
  limit: Limit | undefined,
): ReadonlyMap<ToolCall, string> {
  if (limit === undefined && stuckOn === undefined) return repetitions(calls, circles, plan.tools);
  const because =
    limit === undefined ? "no more tools can be called in this run." : `this run's ${limitWords(limit, plan.limits)} is reached.`;
  return new Map(calls.map((call) => [call, because]));
}

const outcomeOf = ({ plan, history, said, turn: turns, usage, cost }: State, turn: Turn, ending: Ending): Outcome => ({
  messages: history,
  text: said + turn.text,
  summary: summaryOf(ending, { turn, turns, limits: plan.limits }),
  turn,
  turns,
  usage,
  ...(cost !== undefined && { cost }),
  ...ending,
});
