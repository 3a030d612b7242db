import {
  type Effort,
  readTurn,
  type StopReason,
  type Turn,
  type TurnRequest,
} from "@fullstop/core";
import { pause } from "./attempts.ts";
import type { RunEvent } from "./event.ts";
import { answer, take } from "./follow.ts";
import { recognise } from "./journal.ts";
import { costOf, isAtDeadline, withDeadline } from "./limits.ts";
import { type Move, remedies } from "./move.ts";
import type { Plan } from "./options.ts";
import { type Ending, type Outcome, summaryOf } from "./outcome.ts";
import { moveAfter } from "./policy.ts";
import { type Reply, replyFrom } from "./reply.ts";
import { withNote } from "./salvage.ts";
import { addUsage, begin, type State } from "./state.ts";
import { listen } from "./steering.ts";

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
    return outcomeOf(
      state,
      turn,
      isAtDeadline(signal, ending) ? { status: "limit", limit: "deadlineMs" } : ending,
    );
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
  await recognise(
    journal,
    run,
    waiting === undefined ? plan.messages : [...plan.messages, waiting.turn.message],
  );
  if (waiting !== undefined) {
    const { turn } = waiting;
    const ending = await answer(turn, {
      state,
      bench: { ...wiring, plan: heard(plan, turn), key: `${run}/0` },
    });
    if (ending !== undefined) return { turn, ending };
  }
  for (;;) {
    if (state.thrown.length === 0) await listen(plan, state.history, `${run}/${state.turn}`);
    const reply = await ask(state, wiring);
    const { turn } = reply;
    const move = moveAfter(turn, state);
    announce(reply, move, wiring);
    const taken = takenOf(turn, move);
    const told = heard(
      plan,
      taken,
      ("taken" in move ? move.taken : undefined)?.stopReason ?? turn.stopReason,
    );
    const ending = await take(taken, move, {
      state,
      bench: { ...wiring, plan: told, key: `${run}/${state.turn}` },
    });
    if (ending !== undefined) return { turn: taken, ending };
  }
}

/** The turn that counts: as a rule the last reply. */
function takenOf(turn: Turn, move: Move): Turn {
  if (move.act === "repeat") return turn;
  return (move.act === "answer" ? move.salvaged : undefined) ?? move.taken ?? turn;
}

/** What is told of a call that its tool completed begins with why. */
const heard = (plan: Plan, turn: Turn, because?: StopReason): Plan => ({
  ...plan,
  tools: withNote(plan.tools, turn, because),
});

async function ask(state: State, { signal, emit }: Wiring): Promise<Reply> {
  const { adapter } = state;
  const { idleMs, firstEventMs, price, journal } = state.plan;
  const read = async (): Promise<Turn> => {
    await pause(state.waitMs, signal);
    return readTurn(adapter, request(state), { signal, onPreview: emit, idleMs, firstEventMs });
  };
  const reply = await replyFrom(journal, keyOfRequest(state), read);
  const { turn } = reply;
  state.waitMs = 0;
  state.usage = addUsage(state.usage, turn.usage);
  if (price !== undefined) state.cost = (state.cost ?? 0) + costOf(price, turn.usage, adapter);
  return reply;
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
    messages: history,
    toolChoice: stuckOn !== undefined ? "none" : forced && turn > 1 ? "auto" : asked.toolChoice,
    maxTokens: changes.maxTokens ?? maxTokens,
    effort,
  };
}

function announce({ turn, replayed }: Reply, move: Move, { emit }: Wiring): void {
  const taken = takenOf(turn, move);
  const mark = replayed && ({ replayed } as const);
  emit({ type: "turn", turn, kept: move.act !== "repeat" && taken === turn, ...mark });
  if (taken !== turn) emit({ type: "turn", turn: taken, kept: true, ...mark });
  if (move.act === "repeat")
    emit({ type: "recovery", step: move.step, stopReason: turn.stopReason });
  if (move.act === "go-on")
    emit({ type: "recovery", step: remedies[move.streak].step, stopReason: taken.stopReason });
  if (move.act === "answer" && move.salvaged !== undefined) {
    emit({ type: "recovery", step: "salvage", stopReason: (move.taken ?? turn).stopReason });
  }
}

const outcomeOf = (
  { plan, history, said, turn: turns, usage, cost }: State,
  turn: Turn,
  ending: Ending,
): Outcome => ({
  messages: history,
  text: said + turn.text,
  summary: summaryOf(ending, { turn, turns, plan }),
  turn,
  turns,
  usage,
  ...(cost !== undefined && { cost }),
  ...ending,
});
