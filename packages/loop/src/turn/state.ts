import type { Adapter, Message, ToolCall, Turn, Usage } from "@fullstop/core";
import type { RunConfig } from "../config/run-config.ts";
import type { EventBody } from "../event.ts";
import { noRepetitions, type RepetitionHistory } from "./repetition-history.ts";
import { afterTurn, initialTruncation, type TruncationState } from "./truncation-state.ts";

/** The connections of a run to its caller. */
export interface RunContext {
  readonly signal: AbortSignal;
  readonly emit: (event: EventBody) => void;
}

/** Recoveries that are counted until the calls of the model run again. */
export type RecoveryKind = "cutCalls" | "malformedCalls" | "cutTexts" | "pauses";

/**
 * The state of a run. `recovery/` only reads it; `agent-loop`, `apply-action` and `run-tool-calls`
 * change it.
 */
export interface State {
  readonly config: RunConfig;
  history: Message[];
  /** The adapter of the options, or the fallback. */
  adapter: Adapter;
  /** From 1. A turn that waited for decisions is 0. */
  turnNumber: number;
  /** Requests for this turn so far. */
  requestCount: number;
  /** Milliseconds to wait before the next request. */
  waitMs: number;
  /** Replies to this turn that were not accepted. */
  discardedTurns: readonly Turn[];
  truncation: TruncationState;
  recoveryCounts: Readonly<Record<RecoveryKind, number>>;
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
};

export const initialState = (config: RunConfig): State => ({
  config,
  history: [...config.messages],
  adapter: config.adapter,
  turnNumber: config.resumed === undefined ? 1 : 0,
  requestCount: 0,
  waitMs: 0,
  discardedTurns: [],
  truncation: initialTruncation(config.request.maxTokens),
  recoveryCounts: noRecoveries,
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

export function beginNextTurn(state: State): void {
  state.turnNumber += 1;
  state.requestCount = 0;
  state.discardedTurns = [];
  state.truncation = afterTurn(state.truncation);
}
