import { checkGiven } from "@fullstop/core/adapter";
import type { RecordedEvent } from "../recording.ts";
import { placeOf } from "../recording-parts.ts";
import type { Recording } from "../recording-reader.ts";
import {
  answerCall,
  approveCall,
  endCall,
  reportProgress,
  settleCall,
  showWaiting,
  startCall,
} from "./calls.ts";
import type { EventOf, RunDraft, RunState } from "./drafts.ts";
import { addToInput, closeInput, startInput } from "./inputs.ts";
import { addFrame, arriving, endReply, recover, showPrompt, startReply } from "./replies.ts";
import { noUsage } from "./usage.ts";
import type { RecordingView } from "./view.ts";

/** Makes a view of events, one by one. */
export interface ViewBuilder {
  /** Takes the next event of any run. An event that cannot be shown becomes a flaw. */
  add(event: RecordedEvent): void;
  /**
   * The view of all events so far. Its runs are the same objects each time: they grow with each
   * event.
   */
  view(): RecordingView;
}

/**
 * Makes a view that grows with each event, at the same cost for each. `flaws` are those of a reader;
 * later ones are seen too.
 */
export function createView(flaws: readonly string[] = []): ViewBuilder {
  const runs: RunDraft[] = [];
  const states = new Map<string, RunState>();
  const damaged = new Set<string>();
  const add = (event: RecordedEvent): void => {
    const state = runStateOf(event, states) ?? startRun(event, states, runs);
    state.turnNumber = event.turnNumber;
    handlers[event.type]?.(state, event as never);
    if (event.type !== "turn") state.wasRejected = false;
    if (event.type === "end") forgetRun(event.runId, event.path, states);
  };
  return {
    add: (event) => {
      try {
        add(event);
      } catch {
        damaged.add(
          `An event of the type "${String(event.type)}" is damaged, and is not shown completely.`,
        );
      }
    },
    view: () => ({ runs, flaws: [...flaws, ...damaged] }),
  };
}

/** The view of a whole recording. */
export function viewRecording(recording: Recording): RecordingView {
  checkGiven(recording?.events, "viewRecording", "a recording: `readRecording(text)`");
  const builder = createView(recording.flaws);
  for (const event of recording.events) builder.add(event);
  return builder.view();
}

/**
 * The run that an event belongs to. A run that starts again in its journal has the same id: it goes
 * back to an earlier turn, or reads a reply from the journal after it had sent a request.
 */
function runStateOf(
  event: RecordedEvent,
  states: ReadonlyMap<string, RunState>,
): RunState | undefined {
  const state = states.get(placeOf(event.runId, event.path));
  if (state === undefined || event.turnNumber < state.turnNumber) return undefined;
  const isReplayed = event.type === "turn" && event.replayed === true;
  return isReplayed && state.isLive ? undefined : state;
}

function startRun(
  { runId, path, at, turnNumber }: RecordedEvent,
  states: Map<string, RunState>,
  runs: RunDraft[],
): RunState {
  forgetRun(runId, path, states);
  const draft: RunDraft = {
    runId,
    path,
    startedAt: at,
    turns: [],
    totals: {
      requests: 0,
      usage: noUsage,
      discarded: noUsage,
      withheld: 0,
      calls: 0,
      inDoubt: 0,
      recoveries: 0,
    },
  };
  runs.push(draft);
  const state: RunState = {
    draft,
    number: runs.length,
    turnNumber,
    isLive: false,
    wasRejected: false,
    calls: new Map(),
    inDoubt: new Set(),
  };
  states.set(placeOf(runId, path), state);
  return state;
}

function forgetRun(runId: string, path: readonly string[], states: Map<string, RunState>): void {
  const beginning = placeOf(runId, path).slice(0, -1);
  for (const place of states.keys())
    if (place.startsWith(`${beginning},`) || place === `${beginning}]`) states.delete(place);
}

function showOutcome(state: RunState, { outcome, at }: EventOf<"end">): void {
  const { status, summary, text, usage, cost } = outcome;
  const waiting = outcome.status === "waiting" ? outcome.calls : [];
  const costs = cost === undefined ? {} : { cost };
  state.draft.endedAt = at;
  state.draft.outcome = { status, summary, text, usage, waiting, ...costs };
  showWaiting(state, waiting);
}

type Handlers = {
  readonly [Type in RecordedEvent["type"]]:
    | ((state: RunState, event: EventOf<Type>) => void)
    | undefined;
};

const handlers: Handlers = {
  request: startReply,
  prompt: showPrompt,
  "first-byte": arriving((reply, { at }) => {
    reply.draft.firstByteAt = at;
  }),
  text: arriving((reply, { text }) => {
    reply.draft.text += text;
  }),
  thinking: arriving((reply, { text }) => {
    reply.draft.thinking += text;
  }),
  "tool-input-start": arriving(startInput),
  "tool-input-delta": arriving(addToInput),
  "tool-input-end": arriving(closeInput),
  chunk: arriving(addFrame),
  turn: endReply,
  recovery: recover,
  approval: approveCall,
  settlement: settleCall,
  input: answerCall,
  "tool-call": startCall,
  "tool-progress": reportProgress,
  "tool-result": endCall,
  // The text of the object is in the reply.
  output: undefined,
  end: showOutcome,
};
