import { appendMessage, type Effort, readTurn, type ToolCall, type Turn, type TurnRequest, type UserMessage } from "@fullstop/core";
import { pause } from "./attempts.ts";
import { type Bench, dispatch } from "./dispatch.ts";
import type { RunEvent } from "./event.ts";
import { costOf, isAtDeadline, limitOn, limitWords, withDeadline } from "./limits.ts";
import { type GoOn, type Move, type Repeat, remedies } from "./move.ts";
import type { Plan } from "./options.ts";
import { type Ending, endingOf, type Outcome, summaryOf } from "./outcome.ts";
import { moveAfter } from "./policy.ts";
import { withNote } from "./salvage.ts";
import { addUsage, begin, noStreaks, type State } from "./state.ts";
import { listen } from "./steering.ts";

/** The run's connections to the outside. */
export interface Wiring {
  readonly signal: AbortSignal;
  readonly emit: (event: RunEvent) => void;
}

/** Asks, reads, answers, until a reply ends the run. */
export async function drive(plan: Plan, wiring: Wiring): Promise<Outcome> {
  const { signal, clear } = withDeadline(wiring.signal, plan.limits.deadlineMs);
  try {
    return await turns(plan, { ...wiring, signal });
  } finally {
    clear();
  }
}

async function turns(plan: Plan, wiring: Wiring): Promise<Outcome> {
  const state = begin(plan);
  const run = crypto.randomUUID();
  if (plan.waiting !== undefined) {
    const { turn } = plan.waiting;
    const ending = await answer(turn, state, { ...wiring, plan, key: `${run}/0` });
    if (ending !== undefined) return outcomeOf(state, turn, ending);
  }
  for (;;) {
    if (state.thrown.length === 0) listen(plan.steer, state.history);
    const turn = await ask(state, wiring);
    const move = moveAfter(turn, state);
    announce(turn, move, wiring);
    if (move.act === "repeat") {
      await repeat(turn, move, { state, signal: wiring.signal });
      continue;
    }
    if (move.taken !== undefined) dropChanges(state);
    const taken = takenOf(turn, move);
    const ending = await take(taken, move, { state, bench: { ...wiring, plan: heard(plan, move, turn), key: `${run}/${state.turn}` } });
    if (ending !== undefined) return outcomeOf(state, taken, named(ending, wiring.signal));
  }
}

/** The turn that joins the history: as a rule the last reply. */
const takenOf = (turn: Turn, move: Exclude<Move, Repeat>): Turn =>
  (move.act === "answer" ? move.salvaged : undefined) ?? move.taken ?? turn;

/** What is told of a call that was completed begins with why. */
const heard = (plan: Plan, move: Exclude<Move, Repeat>, turn: Turn): Plan =>
  move.act === "answer" && move.salvaged !== undefined
    ? { ...plan, tools: withNote(plan.tools, move.salvaged, (move.taken ?? turn).stopReason) }
    : plan;

interface Running {
  readonly state: State;
  readonly bench: Omit<Bench, "declined">;
}
/** Adds a reply to the history, with all that belongs to it. */
async function take(turn: Turn, move: Exclude<Move, Repeat>, { state, bench }: Running): Promise<Ending | undefined> {
  if (move.act === "answer") return answer(turn, state, bench);
  if (turn.message !== undefined) appendMessage(state.history, turn.message);
  return move.act === "end" ? (move.ending ?? endingOf(turn)) : goOn(turn, move, state);
}

async function ask(state: State, { signal, emit }: Wiring): Promise<Turn> {
  const { adapter, idleMs, price } = state.plan;
  const turn = await readTurn(adapter, request(state), { signal, onPreview: emit, idleMs });
  state.usage = addUsage(state.usage, turn.usage);
  if (price !== undefined) state.cost = (state.cost ?? 0) + costOf(price, turn.usage, adapter);
  return turn;
}

function request({ plan, history, turn, changes, maxTokens }: State): TurnRequest {
  const { asked } = plan;
  const forced = asked.toolChoice === "required" || typeof asked.toolChoice === "object";
  const effort: Effort | undefined = changes.effort ?? asked.effort;
  return {
    ...asked,
    messages: [...history],
    toolChoice: forced && turn > 1 ? "auto" : asked.toolChoice,
    maxTokens: changes.maxTokens ?? maxTokens,
    effort,
  };
}

function announce(turn: Turn, move: Move, { emit }: Wiring): void {
  const taken = move.act === "repeat" ? turn : takenOf(turn, move);
  emit({ type: "turn", turn, kept: move.act !== "repeat" && taken === turn });
  if (taken !== turn) emit({ type: "turn", turn: taken, kept: true });
  if (move.act === "repeat") emit({ type: "recovery", step: move.step, because: turn.stopReason });
  if (move.act === "go-on") emit({ type: "recovery", step: remedies[move.streak].step, because: taken.stopReason });
  if (move.act === "answer" && move.salvaged !== undefined) {
    emit({ type: "recovery", step: "salvage", because: (move.taken ?? turn).stopReason });
  }
}

async function repeat(turn: Turn, move: Repeat, { state, signal }: { state: State; signal: AbortSignal }): Promise<void> {
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
  const limit = limitOn(state, turn.calls.length);
  const declined =
    limit === undefined ? new Map<ToolCall, string>() : all(turn.calls, `this run's ${limitWords(limit, state.plan.limits)} is reached.`);
  const results = await dispatch(turn.calls, { ...bench, declined });
  if ("later" in results) return { status: "waiting", calls: results.later };
  if (turn.message !== undefined) appendMessage(state.history, turn.message);
  appendMessage(state.history, results);
  state.said = "";
  if (bench.signal.aborted) return { status: "aborted" };
  if (limit !== undefined) return { status: "limit", limit };
  state.ran += turn.calls.length;
  state.streaks = noStreaks;
  nextTurn(state);
  return undefined;
}

const all = (calls: readonly ToolCall[], because: string): ReadonlyMap<ToolCall, string> => new Map(calls.map((call) => [call, because]));

/** An abort by the deadline is no abort by the caller. */
const named = (ending: Ending, signal: AbortSignal): Ending =>
  ending.status === "aborted" && isAtDeadline(signal) ? { status: "limit", limit: "deadlineMs" } : ending;

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
