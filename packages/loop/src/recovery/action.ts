import type { Adapter, Turn } from "@fullstop/core";
import type { ToolUseTurn } from "@fullstop/core/adapter";
import type { Recovery } from "../contract/event.ts";
import type { Ending } from "../contract/outcome.ts";
import type { Compact } from "../contract/ports.ts";
import type { RecoveryKind, State } from "../turn/state.ts";
import type { RequestOverrides } from "../turn/truncation-state.ts";

interface Action {
  /** The last reply, or an earlier one of this turn that is accepted instead. */
  readonly reply: Turn;
  /** The turn that joins the conversation. */
  readonly acceptedTurn: Turn | undefined;
  /** Reported as a `recovery` event. */
  readonly recovery?: Recovery | undefined;
}
/** Discard the reply, and request the turn again. */
export interface Retry extends Action {
  readonly type: "retry";
  readonly acceptedTurn: undefined;
  readonly recovery: Recovery;
  readonly overrides?: RequestOverrides;
  readonly waitMs?: number;
  readonly adapter?: Adapter;
  readonly compact?: Compact;
}
/** Accept the reply, and request another turn. */
export interface Continue extends Action {
  readonly type: "continue";
  readonly acceptedTurn: Turn;
  readonly recovery: Recovery;
  readonly kind: RecoveryKind;
  readonly note: string | undefined;
}
/** Accept the reply, and end the run. */
export interface Stop extends Action {
  readonly type: "stop";
  readonly acceptedTurn: Turn;
  /** Undefined: the ending of the stop reason, see `policy.ts`. */
  readonly ending: Ending | undefined;
}
/** Accept the reply, and run its calls. With `salvage` a tool completed the only one. */
export interface RunTools extends Action {
  readonly type: "run-tools";
  readonly acceptedTurn: ToolUseTurn;
  readonly recovery: "salvage" | undefined;
}
export type NextAction = Retry | Continue | Stop | RunTools;

/** How often each recovery is tried before the calls of the model run again. */
export const recoveryLimits: Readonly<
  Record<RecoveryKind, { readonly recovery: Recovery; readonly max: number }>
> = {
  cutCalls: { recovery: "tell-model", max: 2 },
  malformedCalls: { recovery: "tell-model", max: 3 },
  leakedCalls: { recovery: "tell-model", max: 2 },
  cutTexts: { recovery: "continue", max: 3 },
  pauses: { recovery: "resume", max: 8 },
  invalidOutputs: { recovery: "tell-model", max: 3 },
  emptyReplies: { recovery: "tell-model", max: 1 },
};

export const isLastTurn = ({ turnNumber, config }: State): boolean =>
  turnNumber >= config.limits.turns;

/** Never if a tool of the provider may already have changed something. */
export const mayRetry = ({ sideEffects }: Turn, { discardedTurns, config }: State): boolean =>
  !sideEffects && discardedTurns.length + 1 < config.recovery.requests;

export const stop = (reply: Turn, ending?: Ending): Stop => ({
  type: "stop",
  reply,
  acceptedTurn: reply,
  ending,
});

export const retry = (
  reply: Turn,
  recovery: Recovery,
  changes: Pick<Retry, "overrides" | "waitMs" | "adapter" | "compact"> = {},
): Retry => ({ type: "retry", reply, acceptedTurn: undefined, recovery, ...changes });

export const runTools = (reply: ToolUseTurn): RunTools => ({
  type: "run-tools",
  reply,
  acceptedTurn: reply,
  recovery: undefined,
});

/** `recovery.notes` limits the turns with a note. */
export function mayContinue(state: State, kind: RecoveryKind, hasNote: boolean): boolean {
  const { max } = recoveryLimits[kind];
  const limit = hasNote ? (state.config.recovery.notes ?? max) : max;
  return !isLastTurn(state) && state.recoveryCounts[kind] < limit;
}

/** Another turn, or the end if a limit is reached. A paused turn has no note. */
export function continueRun(
  reply: Turn,
  state: State,
  kind: RecoveryKind,
  note?: string,
): Continue | Stop {
  if (!mayContinue(state, kind, note !== undefined)) return stop(reply);
  const { recovery } = recoveryLimits[kind];
  return { type: "continue", reply, acceptedTurn: reply, recovery, kind, note };
}
