import type { Adapter, Effort } from "@fullstop/core";

/** What the next request of a turn asks differently. */
export interface RequestOverrides {
  readonly maxTokens?: number;
  readonly effort?: Effort;
}

/** What a run knows about its output cap, and what it changes because a reply was cut. */
export interface TruncationState {
  /** The cap to send: `request.maxTokens` of the options, or a raised one. */
  readonly maxTokens: number | undefined;
  readonly requestOverrides: RequestOverrides;
  /** The host refused a larger cap. */
  readonly capCannotGrow: boolean;
  /** How often the cap was raised in this run. */
  readonly raiseCount: number;
}

export const initialTruncation = (maxTokens: number | undefined): TruncationState => ({
  maxTokens,
  requestOverrides: {},
  capCannotGrow: false,
  raiseCount: 0,
});

/** The next request of this turn has these overrides. */
export const withOverrides = (
  state: TruncationState,
  requestOverrides: RequestOverrides,
): TruncationState => ({
  ...state,
  requestOverrides,
  raiseCount:
    state.raiseCount + (requestOverrides.maxTokens === state.requestOverrides.maxTokens ? 0 : 1),
});

/** The provider refused the overrides. They are not requested again. */
export const afterRefusedOverrides = (state: TruncationState): TruncationState => ({
  ...state,
  requestOverrides: {},
  capCannotGrow: state.capCannotGrow || state.requestOverrides.maxTokens !== undefined,
});

/** The turn is over. A raised cap stays; less effort was for one turn. */
export const afterTurn = (state: TruncationState): TruncationState => ({
  ...state,
  maxTokens: state.requestOverrides.maxTokens ?? state.maxTokens,
  requestOverrides: {},
});

/**
 * If the ceiling of the model is not known, the cap is doubled this often in a run: to 16 times the
 * first one.
 */
const maxRaises = 4;

/** Twice the cap that was sent, up to the ceiling of the model. Undefined if it cannot grow. */
export function largerCap(state: TruncationState, adapter: Adapter): number | undefined {
  const { ceiling, default: preset } = adapter.maxTokens ?? {};
  const sent = state.requestOverrides.maxTokens ?? state.maxTokens ?? preset;
  if (state.capCannotGrow) return undefined;
  if (ceiling === undefined)
    return sent === undefined || state.raiseCount >= maxRaises ? undefined : sent * 2;
  if (sent === undefined) return ceiling;
  return sent < ceiling ? Math.min(sent * 2, ceiling) : undefined;
}
