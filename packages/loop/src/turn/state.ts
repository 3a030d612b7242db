import type { Adapter, Message, ToolCall, Turn, Usage } from "@fullstop/core";
import type { RunConfig } from "../config/run-config.ts";
import type { EventBody } from "../event.ts";
import type { Answer } from "./answer.ts";
import type { OutputMode } from "./output-request.ts";
import { noRepetitions, type RepetitionHistory } from "./repetition-history.ts";
import { afterTurn, initialTruncation, type TruncationState } from "./truncation-state.ts";

/** The connections of a run to its caller. */
export interface RunContext {
  readonly signal: AbortSignal;
  readonly emit: (event: EventBody) => void;
}

/** Recoveries that are counted until the calls of the model run again. */
export type RecoveryKind = "cutCalls" | "malformedCalls" | "cutTexts" | "pauses" | "invalidOutputs";

/**
 * The state of a run. `recovery/` only reads it; `agent-loop`, `apply-action` and `run-tool-calls`
 * change it.
 */
export interface State {
  /** What the options of the run say. */
  readonly runConfig: RunConfig;
  /** The same, with what `beforeTurn` changed for this turn. */
  config: RunConfig;
  history: Message[];
  /** The adapter of this turn, or the fallback. */
  adapter: Adapter;
  /** A fallback replaced the adapter, for the rest of the run. */
  hasFallenBack: boolean;
  /** From 1. A turn that waited for decisions is 0. */
  turnNumber: number;
  /** Requests for this turn so far. */
  requestCount: number;
  /** Milliseconds to wait before the next request. */
  waitMs: number;
  /** Replies to this turn that were not accepted. */
  discardedTurns: readonly Turn[];
  truncation: TruncationState;
  /** The truncation state of the run, while a turn has its own adapter or cap. */
  runTruncation: TruncationState | undefined;
  recoveryCounts: Readonly<Record<RecoveryKind, number>>;
  /** How the last request asked for the object of `output`. Undefined if it did not. */
  outputMode: OutputMode | undefined;
  /** What the last reply is worth, if it is finished and an object was asked for. */
  answer: Answer | undefined;
  /** The text of the replies that the next one continues. */
  textSoFar: string;
  usage: Usage;
  /** Undefined without `limits.price`. */
  cost: number | undefined;
  repetition: RepetitionHistory;
  /**
   * The model repeated this call after a warning. The turn in progress is the last one, without
   * tools.
   */
  stuckOn: ToolCall | undefined;
  /** Calls of the model so far. */
  toolCallCount: number;
  /** Turns in a row that called only tools which were not offered. */
  unofferedTurns: number;
}

export const noRecoveries: State["recoveryCounts"] = {
  cutCalls: 0,
  malformedCalls: 0,
  cutTexts: 0,
  pauses: 0,
  invalidOutputs: 0,
};

export const initialState = (config: RunConfig): State => ({
  runConfig: config,
  config,
  history: [...config.messages],
  adapter: config.adapter,
  hasFallenBack: false,
  turnNumber: config.resumed === undefined ? 1 : 0,
  requestCount: 0,
  waitMs: 0,
  discardedTurns: [],
  truncation: initialTruncation(config.request.maxTokens),
  runTruncation: undefined,
  recoveryCounts: noRecoveries,
  outputMode: config.output && "tool",
  answer: undefined,
  textSoFar: "",
  usage: { input: 0, output: 0 },
  cost: config.limits.price && 0,
  repetition: noRepetitions,
  stuckOn: undefined,
  toolCallCount: 0,
  unofferedTurns: 0,
});

/** The beginning of all journal keys of this turn. */
export const turnKey = ({ config, turnNumber }: State): string => `${config.runId}/${turnNumber}`;

/** Uses the adapter for the rest of the run, with the caps of the options. */
export function fallBackTo(adapter: Adapter, state: State): void {
  state.adapter = adapter;
  state.hasFallenBack = true;
  state.truncation = initialTruncation(state.config.request.maxTokens);
  state.runTruncation &&= initialTruncation(state.runConfig.request.maxTokens);
}

export function beginNextTurn(state: State): void {
  state.turnNumber += 1;
  state.requestCount = 0;
  state.discardedTurns = [];
  state.truncation = afterTurn(state.truncation);
}
