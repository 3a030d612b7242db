import { readTurn, restoreTurn, type Turn, type TurnRequest } from "@fullstop/core";
import { freezeDeep, sleep, withoutLeakedCall } from "@fullstop/core/adapter";
import { actionAfter } from "./action-after.ts";
import { applyAction } from "./apply-action.ts";
import type { JournalMark } from "./config/parse-journal.ts";
import { noAnswers, type RunConfig } from "./config/run-config.ts";
import { inNoContext } from "./contract/event.ts";
import type { Ending, Outcome } from "./contract/outcome.ts";
import { stepAt } from "./journal/keys.ts";
import { type LeasedRun, noLease, unrecorded, unrecordedRun } from "./journal/loop-lease.ts";
import { nestedRuns } from "./nested-run.ts";
import type { NextAction } from "./recovery/action.ts";
import { limitsInForce } from "./recovery/limits.ts";
import { runToolCalls } from "./run-tool-calls.ts";
import { summaryOf } from "./summary.ts";
import { prepareTurn } from "./turn/before-turn.ts";
import {
  createOutputPreview,
  type OutputMode,
  outputModeFor,
  readAnswer,
  withOutput,
} from "./turn/output.ts";
import { emitRequest, withPosition } from "./turn/report.ts";
import {
  initialState,
  type RunContext,
  type RunObserver,
  type State,
  turnKeyOf,
} from "./turn/state.ts";
import { charge } from "./turn/usage.ts";
import { isDeadlineReached, withDeadline } from "./util/abort.ts";

export async function runLoop(config: RunConfig, observer: RunObserver): Promise<Outcome> {
  const { parent } = observer;
  const { journal, runId, limits } = config;
  const { signal, clear } = withDeadline(observer.signal, limits.deadlineMs);
  const work = (run: LeasedRun): Promise<Outcome> => runWithLease(config, observer, run);
  try {
    if (parent !== undefined) {
      const { lease } = parent.state;
      const close = async (): Promise<void> => lease.lost.throwIfAborted();
      return await work({ lease: lease.endingWith(signal), signal, close });
    }
    if (journal === undefined) return await work(unrecordedRun(signal));
    const { withLease } = await import("./journal/with-lease.ts");
    return await withLease({ journal, runId }, signal, work);
  } finally {
    clear();
  }
}

async function runWithLease(
  config: RunConfig,
  observer: RunObserver,
  { lease, signal, close }: LeasedRun,
): Promise<Outcome> {
  const state = initialState(config, lease, observer.parent);
  const emit = withPosition(state, observer);
  const { details } = observer;
  const nested = nestedRuns(runLoop, state, observer);
  const last = await runTurns(state, { signal, emit, nested, details });
  const isOwnDeadline = isDeadlineReached(signal) && !observer.signal.aborted;
  const ending: Ending =
    last.ending.status === "aborted" && isOwnDeadline
      ? { status: "limit", limit: "deadlineMs" }
      : last.ending;
  const outcome = toOutcome(state, { ...last, ending });
  // A run that rejects has no last event.
  await close(outcome);
  emit({ type: "end", outcome: frozenOutcome(outcome) });
  return outcome;
}

/** No observer changes what the caller gets. */
const frozenOutcome = (outcome: Outcome): Outcome =>
  Object.freeze({ ...outcome, messages: Object.freeze([...outcome.messages]) });

interface LastTurn {
  readonly turn: Turn;
  readonly ending: Ending;
}

async function runTurns(state: State, context: RunContext): Promise<LastTurn> {
  const resumed = await resumeRun(state, context);
  if (resumed !== undefined) return resumed;
  for (;;) {
    if (state.requestCount === 0) await prepareTurn(state, context.signal);
    const reply = await requestReply(state, context);
    state.answer = await readAnswer(reply.turn, state, context.signal);
    const action = await actionAfter(reply, state);
    emitTurn(reply, action, context);
    state.requestedBy = action.type === "run-tools" ? undefined : action.recovery;
    const ending = await applyAction(action, state, context);
    if (ending !== undefined) return { turn: action.acceptedTurn ?? reply.turn, ending };
  }
}

/** A run that waited for decisions runs the calls of that turn first. */
async function resumeRun(state: State, context: RunContext): Promise<LastTurn | undefined> {
  const { lease, config } = state;
  const { messages, resumedTurn: turn } = config;
  const begun = turn === undefined ? messages : [...messages, turn.message];
  state.keyPrefix = await lease.keyPrefixOf(config, begun);
  if (turn === undefined) return undefined;
  // The run was aborted before its journal was open: calls of the turn may have run.
  state.mustUseJournal = isUnopened(state);
  if (state.mustUseJournal) return { turn, ending: { status: "aborted" } };
  const ending = await runToolCalls(turn, state, context);
  return ending && { turn, ending };
}

interface Reply {
  readonly turn: Turn;
  /** It comes from the journal; no request was sent. */
  readonly replayed: boolean;
}

async function requestReply(state: State, context: RunContext): Promise<Reply> {
  const { provider, protocol, model } = state.adapter;
  state.requestCount += 1;
  state.outputMode = outputModeOf(state);
  const reply = await readReply(state, context);
  // No call of a new reply has been answered: an id may be that of an older call.
  if (!reply.replayed) state.config = { ...state.config, answers: noAnswers };
  state.waitMs = 0;
  charge(state, { usage: reply.turn.usage, from: { provider, protocol, model } });
  return reply;
}

/** From the provider, or from the journal: the gate then issues its calls again. */
async function readReply(state: State, { signal, emit, details }: RunContext): Promise<Reply> {
  const {
    limits: { idleMs, firstEventMs },
  } = state.config;
  let live: Turn | undefined;
  const run = async (): Promise<unknown> => {
    await sleep(state.waitMs, signal);
    const request = toRequest(state);
    const inside = signal.aborted ? inNoContext : emitRequest(request, state, { emit, details });
    const { onPreview, end } = createOutputPreview(state.outputMode, emit);
    live = await inside(() =>
      readTurn(state.adapter, request, {
        signal,
        onPreview,
        onFirstByte: () => void emit({ type: "first-byte" }),
        onNatives: details.has("chunk")
          ? (natives) => void emit({ type: "chunk", natives: freezeDeep(natives) })
          : undefined,
        idleMs,
        firstEventMs,
      }),
    );
    end();
    const { calls: _calls, ...stored } = live;
    return live.stopReason === "aborted" ? unrecorded(stored) : stored;
  };
  const detail = state.requestCount === 1 ? undefined : state.requestCount;
  const { value } = await state.lease.step<unknown>(stepAt("model", turnKeyOf(state), detail), {
    run,
  });
  const turn = live ?? restoreTurn(value);
  return { turn: withKnownLeak(turn, state), replayed: live === undefined };
}

/** Without `recovery.leakedCalls` a call that is written as text is an answer, for observers too. */
function withKnownLeak(turn: Turn, { config }: State): Turn {
  if (turn.leakedCall === undefined || config.recovery.leakedCalls) return turn;
  const { leakedCall: _, ...answer } = turn;
  return Object.freeze(answer);
}

function toRequest(state: State): TurnRequest {
  const { config, history, truncation, stuckOn } = state;
  const { maxTokens, requestOverrides } = truncation;
  const request: TurnRequest = {
    ...config.request,
    messages: history,
    // A model that is stuck may call no tool in its last turn.
    toolChoice: stuckOn === undefined ? config.request.toolChoice : "none",
    maxTokens: requestOverrides.maxTokens ?? maxTokens,
    effort: requestOverrides.effort ?? config.request.effort,
  };
  return withOutput(request, config.output, state.outputMode);
}

const outputModeOf = ({ adapter, config, stuckOn }: State): OutputMode | undefined =>
  stuckOn === undefined ? outputModeFor(config.output, adapter, config.request.tools) : undefined;

function emitTurn(
  { turn, replayed }: Reply,
  { reply, acceptedTurn, recovery }: NextAction,
  { emit }: RunContext,
): void {
  const mark = replayed && ({ replayed } as const);
  emit({ type: "turn", turn, kept: acceptedTurn === turn, ...mark });
  if (acceptedTurn !== undefined && acceptedTurn !== turn)
    emit({ type: "turn", turn: acceptedTurn, kept: true, ...mark });
  if (recovery !== undefined)
    emit({ type: "recovery", action: recovery, stopReason: reply.stopReason });
}

const isUnopened = ({ config, lease }: State): boolean =>
  config.journal !== undefined && lease === noLease;

function toOutcome(state: State, { turn, ending }: LastTurn): Outcome {
  const { turnNumber: turns, usage, cost, config, truncation } = state;
  const asked = [...state.askedAdapters, state.adapter];
  return {
    messages: state.history,
    text: state.textSoFar + (ending.status === "done" ? turn : withoutLeakedCall(turn)).text,
    summary: summaryOf(ending, {
      turn,
      turns,
      truncation,
      asked,
      isUnopened: isUnopened(state),
      config: { ...config, limits: limitsInForce(state) },
    }),
    turn: markedTurn(turn, state),
    turns,
    usage,
    ...(cost !== undefined && { cost }),
    ...ending,
  };
}

/** The calls of this turn must not start anywhere else. */
function markedTurn(turn: Turn, { config, turnNumber, mustUseJournal }: State): Turn {
  if (!mustUseJournal) return turn;
  const mark: JournalMark = { runId: config.runId, isFirstTurn: turnNumber === 0 };
  return Object.freeze({ ...turn, continuesInJournal: Object.freeze(mark) });
}
