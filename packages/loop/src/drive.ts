import { appendMessage, type Effort, readTurn, type Turn, type TurnRequest, type UserMessage } from "@fullstop/core";
import { pause } from "./attempts.ts";
import { type Bench, dispatch } from "./dispatch.ts";
import type { RunEvent } from "./event.ts";
import { type End, type GoOn, isLastTurn, type Move, type Repeat, remedies } from "./move.ts";
import type { Plan } from "./options.ts";
import { type Ending, endingOf, type Outcome, summaryOf } from "./outcome.ts";
import { moveAfter } from "./policy.ts";
import { addUsage, begin, noStreaks, type State } from "./state.ts";

/** The run's connections to the outside. */
export interface Wiring {
  readonly signal: AbortSignal;
  readonly emit: (event: RunEvent) => void;
}

/** Asks, reads, answers, until a reply ends the run. */
export async function drive(plan: Plan, wiring: Wiring): Promise<Outcome> {
  const state = begin(plan);
  const run = crypto.randomUUID();
  if (plan.waiting !== undefined) {
    const { turn } = plan.waiting;
    const ending = await answer(turn, state, { ...wiring, plan, key: `${run}/0` });
    if (ending !== undefined) return outcomeOf(state, turn, ending);
  }
  for (;;) {
    const turn = await ask(state, wiring);
    const move = moveAfter(turn, state);
    announce(turn, move, wiring);
    switch (move.act) {
      case "repeat":
        await repeat(turn, move, { state, signal: wiring.signal });
        break;
      case "go-on":
        goOn(move.taken ?? turn, move, state);
        break;
      case "answer": {
        const ending = await answer(turn, state, { ...wiring, plan, key: `${run}/${state.turn}` });
        if (ending !== undefined) return outcomeOf(state, turn, ending);
        break;
      }
      case "end":
        return end(move.taken ?? turn, move, state);
    }
  }
}

async function ask(state: State, { signal, emit }: Wiring): Promise<Turn> {
  const { adapter, idleMs } = state.plan;
  const turn = await readTurn(adapter, request(state), { signal, onPreview: emit, idleMs });
  state.usage = addUsage(state.usage, turn.usage);
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
  const taken = "taken" in move && move.taken !== undefined ? move.taken : turn;
  emit({ type: "turn", turn, kept: move.act !== "repeat" && taken === turn });
  if (taken !== turn) emit({ type: "turn", turn: taken, kept: true });
  if (move.act === "repeat") emit({ type: "recovery", step: move.step, because: turn.stopReason });
  if (move.act === "go-on") emit({ type: "recovery", step: remedies[move.streak].step, because: taken.stopReason });
}

async function repeat(turn: Turn, move: Repeat, { state, signal }: { state: State; signal: AbortSignal }): Promise<void> {
  state.thrown = [...state.thrown, turn];
  state.changes = move.changes ?? state.changes;
  state.doubled ||= move.step === "raise-cap";
  await pause(move.waitMs ?? 0, signal);
}

function goOn(turn: Turn, { streak, note, taken }: GoOn, state: State): void {
  if (turn.message !== undefined) appendMessage(state.history, turn.message);
  if (note !== undefined) appendMessage(state.history, { role: "user", content: note, by: "loop" } satisfies UserMessage);
  state.said = note === undefined || streak === "fragments" ? state.said + turn.text : "";
  state.streaks = { ...state.streaks, [streak]: state.streaks[streak] + 1 };
  if (taken !== undefined) state.changes = {};
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
  const last = isLastTurn(state);
  const because = `this run's limit of ${state.plan.turns} turns is reached.`;
  const declined = new Map(last ? turn.calls.map((call) => [call, because]) : []);
  const results = await dispatch(turn.calls, { ...bench, declined });
  if ("later" in results) return { status: "waiting", calls: results.later };
  if (turn.message !== undefined) appendMessage(state.history, turn.message);
  appendMessage(state.history, results);
  state.said = "";
  if (bench.signal.aborted) return { status: "aborted" };
  if (last) return endingOf(turn);
  state.streaks = noStreaks;
  nextTurn(state);
  return undefined;
}

function end(turn: Turn, { ending }: End, state: State): Outcome {
  if (turn.message !== undefined) appendMessage(state.history, turn.message);
  return outcomeOf(state, turn, ending ?? endingOf(turn));
}

const outcomeOf = ({ history, said, turn: turns, usage }: State, turn: Turn, ending: Ending): Outcome => ({
  messages: history,
  text: said + turn.text,
  summary: summaryOf(ending, { turn, turns }),
  turn,
  turns,
  usage,
  ...ending,
});
