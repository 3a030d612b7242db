import type { ReviewedCall } from "@fullstop/loop";
import type { Recorded, RecordedCall } from "../recording.ts";
import { type CallDraft, type EventOf, type RunState, turnOf } from "./drafts.ts";
import type { CallState } from "./view.ts";

export function issueCalls(state: RunState, { turn, turnNumber }: EventOf<"turn">): void {
  for (const call of turn.calls) addCall(state, turnNumber, call);
  state.draft.totals.calls += turn.calls.length;
}

function addCall(
  state: RunState,
  turnNumber: number,
  { id, name, input, by }: Recorded<Omit<ReviewedCall, "needs">>,
): CallDraft {
  const call: CallDraft = { id, name, input, ...(by && { by }), steps: [], state: "issued" };
  turnOf(state, turnNumber).calls.push(call);
  state.calls.set(id, call);
  return call;
}

/** Its id may be its journal key, with its number in the turn and the number of an attempt. */
function findReviewed(state: RunState, id: string): CallDraft | undefined {
  const first = id.replace(/\/attempt\/\d+$/, "");
  const known = state.calls.get(first);
  if (known !== undefined) return known;
  const position = Number(/\/(\d+)$/.exec(first)?.[1]);
  return state.draft.turns.at(-1)?.calls[position - 1];
}

const callOf = (state: RunState, turnNumber: number, call: RecordedCall): CallDraft =>
  state.calls.get(call.id) ?? addCall(state, turnNumber, call);

/** A call of a turn that waited was issued by the run before. */
function reviewedCallOf(
  state: RunState,
  { call, turnNumber }: EventOf<"approval" | "settlement" | "input">,
): CallDraft {
  const found = findReviewed(state, call.id);
  return found?.name === call.name ? found : addCall(state, turnNumber, call);
}

const isReplayed = (event: { readonly replayed?: true }): boolean => event.replayed === true;

export function approveCall(state: RunState, event: EventOf<"approval">): void {
  const { decision, reason, at } = event;
  const call = reviewedCallOf(state, event);
  const replayed = isReplayed(event);
  const why = reason === undefined ? {} : { reason };
  call.steps.push({ type: "approval", at, decision, ...why, replayed });
  if (decision === "later") call.state = "waiting";
}

export function settleCall(state: RunState, event: EventOf<"settlement">): void {
  const { settlement, at } = event;
  const call = reviewedCallOf(state, event);
  call.steps.push({ type: "settlement", at, settlement, replayed: isReplayed(event) });
  markInDoubt(state, call);
  if (settlement === "later") call.state = "in-doubt";
}

export function answerCall(state: RunState, event: EventOf<"input">): void {
  const { input, at } = event;
  const call = reviewedCallOf(state, event);
  const { question } = event.call;
  const asked = question === undefined ? {} : { question };
  call.steps.push({ type: "input", at, input, ...asked, replayed: isReplayed(event) });
  if (input === "later") call.state = "waiting";
}

export function startCall(state: RunState, event: EventOf<"tool-call">): void {
  const { key, at, turnNumber } = event;
  const call = callOf(state, turnNumber, event.call);
  call.key = key;
  call.startedAt ??= at;
  call.state = "running";
  call.steps.push({ type: "start", at });
}

export function reportProgress(state: RunState, event: EventOf<"tool-progress">): void {
  const { progress, at, turnNumber } = event;
  callOf(state, turnNumber, event.call).steps.push({ type: "progress", at, progress });
}

export function endCall(state: RunState, event: EventOf<"tool-result">): void {
  const { result, ran, at, turnNumber } = event;
  const call = callOf(state, turnNumber, event.call);
  call.result = result;
  call.endedAt = at;
  call.state = stateAfter(event);
  if (event.inDoubt) markInDoubt(state, call);
  call.steps.push({ type: "result", at, ran, replayed: isReplayed(event) });
}

function stateAfter({ result, ran, inDoubt, timedOut }: EventOf<"tool-result">): CallState {
  if (timedOut) return "timed-out";
  if (inDoubt) return "in-doubt";
  if (!ran) return "not-run";
  return result.isError ? "failed" : "done";
}

function markInDoubt(state: RunState, call: CallDraft): void {
  state.inDoubt.add(call);
  state.draft.totals.inDoubt = state.inDoubt.size;
}

/** The run waits for a person. Calls of sub-agents are shown there. */
export function showWaiting(state: RunState, calls: readonly Recorded<ReviewedCall>[]): void {
  for (const { id, name, needs } of calls) {
    const call = findReviewed(state, id);
    if (call?.name !== name) continue;
    call.state = needs === "settlement" ? "in-doubt" : "waiting";
    if (needs === "settlement") markInDoubt(state, call);
  }
}
