import type { Adapter, Effort } from "@fullstop/core";

export interface RequestOverrides {
  readonly maxTokens?: number;
  readonly effort?: Effort;
}

/** What a run knows about its output cap, and what it changes because a reply was cut. */
export interface TruncationState {
  /** `request.maxTokens`. Undefined: the program wrote no cap. */
  readonly writtenCap: number | undefined;
  /** The cap to send: `writtenCap`, or a raised one. */
  readonly maxTokens: number | undefined;
  readonly requestOverrides: RequestOverrides;
  /** The host refused a larger cap. */
  readonly capCannotGrow: boolean;
  /** How often the cap was raised in this run. */
  readonly raiseCount: number;
}

export const initialTruncation = (maxTokens: number | undefined): TruncationState => ({
  writtenCap: maxTokens,
  maxTokens,
  requestOverrides: {},
  capCannotGrow: false,
  raiseCount: 0,
});

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
  ...(state.requestOverrides.maxTokens !== undefined && {
    capCannotGrow: true,
    raiseCount: state.raiseCount - 1,
  }),
});

/** The turn is over. A raised cap stays; less effort was for one turn. */
export const afterTurn = (state: TruncationState): TruncationState => ({
  ...state,
  maxTokens: state.requestOverrides.maxTokens ?? state.maxTokens,
  requestOverrides: {},
});

/** A cap that the program wrote becomes at most four times as large; others end at the ceiling. */
const defaultRaises = ({ writtenCap }: TruncationState, ceiling: number | undefined): number => {
  if (writtenCap !== undefined) return 2;
  return ceiling === undefined ? 4 : Number.POSITIVE_INFINITY;
};

/** Twice the cap that was sent, up to the ceiling of the model. Undefined if it cannot grow. */
export function largerCap(
  state: TruncationState,
  adapter: Adapter,
  raises: number | undefined,
): number | undefined {
  const { ceiling, default: preset } = adapter.maxTokens ?? {};
  const sent = state.requestOverrides.maxTokens ?? state.maxTokens ?? preset;
  if (state.capCannotGrow || state.raiseCount >= (raises ?? defaultRaises(state, ceiling)))
    return undefined;
  if (sent === undefined) return ceiling;
  if (ceiling === undefined) return sent * 2;
  return sent < ceiling ? Math.min(sent * 2, ceiling) : undefined;
}

export function raisedCap(state: TruncationState): number | undefined {
  const { maxTokens = state.maxTokens } = state.requestOverrides;
  return maxTokens === state.writtenCap ? undefined : maxTokens;
}
