import type { TurnRequest } from "@fullstop/core";
import type { InputKey } from "@fullstop/core/adapter";
import type { RecordedEvent } from "../recording.ts";
import type {
  CallStep,
  CallView,
  FrameView,
  InputView,
  ReplyView,
  RunView,
  Totals,
  TurnView,
} from "./view.ts";

/** Nothing of it is copied, so that an event costs the same at any time. */
type Writable<View> = { -readonly [Key in keyof View]: View[Key] };

export type InputDraft = Writable<InputView>;
export interface ReplyDraft extends Writable<Omit<ReplyView, "frames" | "inputs">> {
  readonly frames: FrameView[];
  readonly inputs: InputDraft[];
}
export interface CallDraft extends Writable<Omit<CallView, "steps">> {
  readonly steps: CallStep[];
}
export interface TurnDraft extends Omit<TurnView, "replies" | "calls"> {
  readonly replies: ReplyDraft[];
  readonly calls: CallDraft[];
}
export interface RunDraft extends Writable<Omit<RunView, "turns" | "totals">> {
  readonly turns: TurnDraft[];
  readonly totals: Writable<Totals>;
}

export interface OpenReply {
  readonly draft: ReplyDraft;
  readonly inputs: Map<InputKey, InputDraft>;
  /** The reply whose recovery asked for this one. */
  readonly cause: ReplyDraft | undefined;
}

export interface RunState {
  readonly draft: RunDraft;
  readonly number: number;
  turnNumber: number;
  /** A request was sent: from then on nothing comes from the journal. */
  isLive: boolean;
  reply?: OpenReply | undefined;
  lastReply?: ReplyDraft | undefined;
  lastRequest?: TurnRequest | undefined;
  /** The last event was a turn that was not kept. */
  wasRejected: boolean;
  readonly calls: Map<string, CallDraft>;
  readonly inDoubt: Set<CallDraft>;
}

export type EventOf<Type extends RecordedEvent["type"]> = Extract<
  RecordedEvent,
  { readonly type: Type }
>;

/** The turn with this number. Numbers only grow, so it is the last one or a new one. */
export function turnOf({ draft }: RunState, number: number): TurnDraft {
  const last = draft.turns.at(-1);
  if (last?.number === number) return last;
  const turn: TurnDraft = { number, replies: [], calls: [] };
  draft.turns.push(turn);
  return turn;
}

export function addReply(
  state: RunState,
  event: RecordedEvent,
  known: Pick<ReplyDraft, "attempt" | "replayed"> & Partial<ReplyDraft>,
): ReplyDraft {
  const turn = turnOf(state, event.turnNumber);
  const id = `run-${state.number}-turn-${turn.number}-reply-${turn.replies.length + 1}`;
  const reply: ReplyDraft = { id, frames: [], inputs: [], text: "", thinking: "", ...known };
  turn.replies.push(reply);
  state.lastReply = reply;
  return reply;
}
