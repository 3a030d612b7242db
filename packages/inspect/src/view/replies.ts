import { explain, type Turn, type TurnRequest } from "@fullstop/core";
import type { RecordedEvent, RecordedTurn } from "../recording.ts";
import { issueCalls } from "./calls.ts";
import {
  addReply,
  type EventOf,
  type OpenReply,
  type ReplyDraft,
  type RunState,
} from "./drafts.ts";
import { judgeInputs, utf8Length } from "./inputs.ts";
import { addUsage, noUsage } from "./usage.ts";
import type { PromptPart, PromptView, VerdictView } from "./view.ts";

export function startReply(state: RunState, event: EventOf<"request">): void {
  const { adapter, attempt, cap, effort, reason, at } = event;
  const cause = reason === undefined ? undefined : state.lastReply;
  const draft = addReply(state, event, {
    from: adapter,
    attempt,
    replayed: false,
    requestedAt: at,
    ...(reason !== undefined && { reason }),
    ...(cap !== undefined && { cap }),
    ...(effort !== undefined && { effort }),
  });
  state.isLive = true;
  state.reply = { draft, inputs: new Map(), cause };
  state.draft.totals.requests += 1;
  if (cause === undefined) return;
  const { requests, usage } = cause.recoveryCost ?? { requests: 0, usage: noUsage };
  cause.recoveryCost = { requests: requests + 1, usage };
}

export function showPrompt(state: RunState, { request }: EventOf<"prompt">): void {
  if (state.reply !== undefined)
    state.reply.draft.prompt = comparePrompts(request, state.lastRequest);
  state.lastRequest = request;
}

export function addFrame({ draft }: OpenReply, { natives, at }: EventOf<"chunk">): void {
  const sizes = natives.map((native) => utf8Length(JSON.stringify(native) ?? ""));
  draft.frames.push({ at, natives, bytes: sizes.reduce((sum, size) => sum + size, 0) });
}

/** The verdict on a reply. Without a request before it, the reply comes from the journal. */
export function endReply(state: RunState, event: EventOf<"turn">): void {
  const { turn, kept, at, replayed = false } = event;
  if (state.reply === undefined && state.wasRejected && kept) {
    acceptInstead(state, event);
    return;
  }
  const { reply } = state;
  const draft = reply?.draft ?? addJournalReply(state, event);
  state.reply = undefined;
  state.wasRejected = !kept;
  draft.endedAt = at;
  draft.kept = kept;
  draft.verdict = verdictOf(turn);
  judgeInputs(draft, turn, at);
  if (draft.text === "" && replayed) draft.text = turn.text;
  const { totals } = state.draft;
  totals.withheld += turn.withheld.length;
  if (!replayed) {
    totals.usage = addUsage(totals.usage, turn.usage);
    if (!kept) totals.discarded = addUsage(totals.discarded, turn.usage);
    if (reply?.cause?.recoveryCost) {
      const { requests, usage } = reply.cause.recoveryCost;
      reply.cause.recoveryCost = { requests, usage: addUsage(usage, turn.usage) };
    }
  }
  if (kept) issueCalls(state, event);
}

/** An earlier reply, or this reply with a call that its tool completed. */
function acceptInstead(state: RunState, event: EventOf<"turn">): void {
  state.wasRejected = false;
  const { totals, turns } = state.draft;
  const earlier = turns.at(-1)?.replies.find(({ verdict }) => verdict?.turn === event.turn);
  const reply = earlier ?? state.lastReply;
  if (reply?.kept === false) {
    reply.kept = true;
    if (!event.replayed) totals.discarded = addUsage(totals.discarded, event.turn.usage, -1);
  }
  issueCalls(state, event);
}

function addJournalReply(state: RunState, event: EventOf<"turn">): ReplyDraft {
  const { turn, turnNumber, replayed = false } = event;
  const before = state.draft.turns.at(-1);
  const attempt = before?.number === turnNumber ? before.replies.length + 1 : 1;
  const from = turn.message?.from;
  return addReply(state, event, { attempt, replayed, ...(from && { from }) });
}

function verdictOf(turn: RecordedTurn): VerdictView {
  const { stopReason, native, usage, requestId, rules = [] } = turn;
  const error = "error" in turn ? turn.error : undefined;
  return {
    stopReason,
    usage,
    // It reads only names and texts, which a recorded turn has too.
    explanation: explain(turn as unknown as Turn).person,
    rules,
    turn,
    ...(native && { native }),
    ...(error && { error: { kind: error.kind, message: error.message } }),
    ...(requestId !== undefined && { requestId }),
  };
}

export function recover(state: RunState, event: EventOf<"recovery">): void {
  const { action, stopReason } = event;
  state.draft.totals.recoveries += 1;
  if (state.lastReply === undefined) return;
  state.lastReply.recovery = { action, stopReason };
  state.lastReply.recoveryCost ??= { requests: 0, usage: noUsage };
}

/** Events of a reply that is arriving. Without one, its beginning was not recorded. */
export const arriving =
  <Event extends RecordedEvent>(show: (reply: OpenReply, event: Event) => void) =>
  (state: RunState, event: Event): void => {
    if (state.reply !== undefined) show(state.reply, event);
  };

/** Compares a request with the one before it. Messages that stay are the same objects. */
function comparePrompts(request: TurnRequest, before: TurnRequest | undefined): PromptView {
  if (before === undefined) return { request, sameMessages: 0, changed: [] };
  const sameMessages = countSame(request.messages, before.messages);
  const isChanged: Readonly<Record<PromptPart, boolean>> = {
    system: request.system !== before.system,
    tools: !areSame(request.tools ?? [], before.tools ?? []),
    messages: sameMessages < before.messages.length,
    toolChoice: JSON.stringify(request.toolChoice) !== JSON.stringify(before.toolChoice),
    output: JSON.stringify(request.output) !== JSON.stringify(before.output),
  };
  const parts = Object.keys(isChanged) as PromptPart[];
  return { request, sameMessages, changed: parts.filter((part) => isChanged[part]) };
}

function countSame(list: readonly unknown[], before: readonly unknown[]): number {
  const length = Math.min(list.length, before.length);
  for (let at = 0; at < length; at++) if (list[at] !== before[at]) return at;
  return length;
}

const areSame = (list: readonly unknown[], before: readonly unknown[]): boolean =>
  list.length === before.length && countSame(list, before) === list.length;
