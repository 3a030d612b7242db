import type { Adapter, Message, ToolCall, Turn, Usage } from "@fullstop/core";
import type { Origin } from "@fullstop/core/adapter";
import type { AgentOptions } from "../config/agent-tool.ts";
import type { RunConfig } from "../config/run-config.ts";
import type { DetailType, EventBody, Inside, Recovery, RunEvent } from "../contract/event.ts";
import type { Outcome } from "../contract/outcome.ts";
import { turnKey } from "../journal/keys.ts";
import type { LoopLease } from "../journal/loop-lease.ts";
import type { Answer, OutputMode } from "./output.ts";
import { earlierRepetitions, type RepetitionHistory } from "./repetition.ts";
import { afterTurn, initialTruncation, type TruncationState } from "./truncation-state.ts";

export interface RunObserver {
  readonly signal: AbortSignal;
  /** What it returns runs what the event begins. */
  readonly emit: (event: RunEvent) => Inside;
  /** Whether an observer gets the events. Previews are frequent, and most runs have none. */
  readonly isWatched: () => boolean;
  /** The large events that the observer asked for. */
  readonly details: ReadonlySet<DetailType>;
  /** The call that this run runs in. Undefined: it is not a sub-agent. */
  readonly parent?: ParentCall;
}
export interface ParentCall {
  readonly state: State;
  /** The journal key of the call. All keys of the sub-agent begin with it. */
  readonly key: string;
  /** The requests of the sub-agent, and of those in it. */
  readonly charges: Charge[];
}
/** What one request used, and the adapter that gave the reply. */
export interface Charge {
  readonly usage: Usage;
  readonly from: Origin;
}

export interface RunContext {
  readonly signal: AbortSignal;
  readonly emit: (event: EventBody) => Inside;
  readonly details: ReadonlySet<DetailType>;
  readonly nested: NestedRuns;
}
export interface NestedRuns {
  start(
    options: AgentOptions,
    call: { readonly key: string; readonly signal: AbortSignal },
  ): NestedRun;
  /** Counts the requests of a sub-agent whose result comes from the journal. */
  charge(charges: readonly Charge[]): void;
}
export interface NestedRun {
  readonly outcome: Promise<Outcome>;
  readonly charges: readonly Charge[];
}

/** Recoveries that are counted until the calls of the model run again. */
export type RecoveryKind =
  | "cutCalls"
  | "malformedCalls"
  | "leakedCalls"
  | "cutTexts"
  | "pauses"
  | "invalidOutputs"
  | "emptyReplies";

/** `recovery/` only reads it; `agent-loop` and the files beside it change it. */
export interface State {
  /** Where its steps are recorded. Sub-agents share it. */
  readonly lease: LoopLease;
  readonly parent: ParentCall | undefined;
  /** The keys of the calls that this run runs in, outermost first. */
  readonly path: readonly string[];
  /** All its journal keys begin with it. */
  keyPrefix: string;
  /** What the options of the run say. */
  readonly runConfig: RunConfig;
  /** The same, with what `beforeTurn` changed for this turn. */
  config: RunConfig;
  history: Message[];
  /** The adapter of this turn, or a fallback. */
  adapter: Adapter;
  /** A fallback replaced the adapter, for the rest of the run. */
  hasFallenBack: boolean;
  /** Adapters that a fallback replaced in this turn. */
  askedAdapters: readonly Adapter[];
  /** From 1. A turn that waited for decisions is 0. */
  turnNumber: number;
  requestCount: number;
  /** The recovery that asks for the next request. Undefined: an ordinary turn. */
  requestedBy: Recovery | undefined;
  /** Milliseconds to wait before the next request. */
  waitMs: number;
  /** Replies of this adapter to this turn that were not accepted. */
  discardedTurns: readonly Turn[];
  isCompacted: boolean;
  truncation: TruncationState;
  /** The truncation state of the run, while a turn has its own adapter or cap. */
  runTruncation: TruncationState | undefined;
  recoveryCounts: Readonly<Record<RecoveryKind, number>>;
  outputMode: OutputMode | undefined;
  answer: Answer | undefined;
  /** The text of the replies that the next one continues. */
  textSoFar: string;
  /** Of all requests, including those of sub-agents. */
  usage: Usage;
  /** Undefined without `limits.price`. */
  cost: number | undefined;
  repetition: RepetitionHistory;
  /** The model repeated it after a warning. The turn in progress is the last one, without tools. */
  stuckOn: ToolCall | undefined;
  toolCallCount: number;
  /** The ids of all calls so far, also of those that a compaction removed. */
  readonly callIds: Set<string>;
  /** The run waits, and calls of the turn have run: only the journal knows which. */
  mustUseJournal: boolean;
  /** Turns in a row that called only tools which were not offered. */
  unofferedTurns: number;
}

export const noRecoveries: State["recoveryCounts"] = {
  cutCalls: 0,
  malformedCalls: 0,
  leakedCalls: 0,
  cutTexts: 0,
  pauses: 0,
  invalidOutputs: 0,
  emptyReplies: 0,
};

export const initialState = (
  config: RunConfig,
  lease: LoopLease,
  parent: ParentCall | undefined,
): State => ({
  lease,
  parent,
  path: parent === undefined ? [] : [...parent.state.path, parent.key],
  keyPrefix: config.runId,
  runConfig: config,
  config,
  history: [...config.messages],
  adapter: config.adapter,
  hasFallenBack: false,
  askedAdapters: [],
  turnNumber: config.resumedTurn === undefined ? 1 : 0,
  requestCount: 0,
  requestedBy: undefined,
  waitMs: 0,
  discardedTurns: [],
  isCompacted: false,
  truncation: initialTruncation(config.request.maxTokens),
  runTruncation: undefined,
  recoveryCounts: noRecoveries,
  outputMode: config.output && "tool",
  answer: undefined,
  textSoFar: "",
  usage: { input: 0, output: 0 },
  cost: config.limits.price && 0,
  repetition: earlierRepetitions(config.messages),
  stuckOn: undefined,
  toolCallCount: 0,
  callIds: new Set(),
  mustUseJournal: false,
  unofferedTurns: 0,
});

export const turnKeyOf = ({ keyPrefix, turnNumber }: State): string =>
  turnKey(keyPrefix, turnNumber);

/** What was learned about the output cap belongs to the adapter before. */
export function fallBackTo(adapter: Adapter, state: State): void {
  state.askedAdapters = [...state.askedAdapters, state.adapter];
  state.adapter = adapter;
  state.discardedTurns = [];
  state.hasFallenBack = true;
  state.truncation = initialTruncation(state.config.request.maxTokens);
  state.runTruncation &&= initialTruncation(state.runConfig.request.maxTokens);
}

export function beginNextTurn(state: State): void {
  state.turnNumber += 1;
  state.requestCount = 0;
  state.discardedTurns = [];
  state.askedAdapters = [];
  state.isCompacted = false;
  state.truncation = afterTurn(state.truncation);
}
