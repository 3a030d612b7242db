import type {
  AssistantMessage,
  ToolCall,
  ToolResultBlock,
  Turn,
  WithheldCall,
} from "@fullstop/core";
import type { Outcome, ReviewedCall, RunEvent } from "@fullstop/loop";
import {
  type ErrorDetail,
  explainTurn,
  type PublicError,
  publicError,
  publicSummary,
} from "../error-text.ts";

/** A call that runs, as plain data. */
export type PublicCall = Pick<ToolCall, "id" | "name" | "input" | "by">;
/** What arrived of a call that did not run. */
export interface PublicWithheldCall extends WithheldCall {
  readonly withheld: true;
}
/** A block of a reply, without what only its provider understands. */
export type PublicBlock =
  | { readonly type: "text" | "thinking"; readonly text: string }
  | {
      readonly type: "tool-call";
      readonly id: string;
      readonly name: string;
      readonly inputText: string;
    };

/** A reply and its verdict, without the provider's own data. */
export interface PublicTurn
  extends Pick<Turn, "stopReason" | "text" | "usage" | "requestId" | "sideEffects" | "leakedCall"> {
  /** The provider's own stop reason, such as `max_tokens`. */
  readonly native?: string;
  readonly content: readonly PublicBlock[];
  readonly calls: readonly PublicCall[];
  readonly withheld: readonly PublicWithheldCall[];
  readonly error?: PublicError;
  /** What happened, in plain words. Set if calls were withheld or written as text, or the reply failed. */
  readonly explanation?: string;
}

/** How a run ended, without its conversation. The other members depend on the status. */
export interface PublicOutcome
  extends Pick<Outcome, "status" | "text" | "summary" | "turns" | "usage"> {
  /** `done`: what the answer is, if the run asked for an object. */
  readonly output?: unknown;
  /** `done`: the model said nothing. */
  readonly empty?: true;
  /** `invalid-output`: what does not fit. */
  readonly issues?: readonly string[];
  /** `truncated`: what arrived of the calls. None of them ran. */
  readonly withheld?: readonly PublicWithheldCall[];
  /** `truncated`: the output cap was reached before a text or a part of a call came. */
  readonly cause?: "thinking";
  /** `refused`: who declined. */
  readonly by?: "model" | "filter";
  /** `failed`: what went wrong. */
  readonly error?: PublicError;
  /** `waiting`: the calls that need an answer. */
  readonly calls?: readonly ReviewedCall[];
  /** `stuck`: the call that was repeated. */
  readonly call?: PublicCall;
  /** `limit`: which one was reached. */
  readonly limit?: string;
}

type Rewritten = "turn" | "tool-call" | "tool-progress" | "tool-result" | "end" | "chunk";
type With<Members, Type extends RunEvent["type"]> = Members &
  Omit<Extract<RunEvent, { readonly type: Type }>, keyof Members>;
type WithPublicCall<Type extends RunEvent["type"]> = With<{ readonly call: PublicCall }, Type>;

/** An event of a run as a client gets it: JSON, without signatures and the provider's own data. */
export type PublicEvent =
  | Exclude<RunEvent, { readonly type: Rewritten }>
  | WithPublicCall<"tool-call">
  | WithPublicCall<"tool-progress">
  | WithPublicCall<"tool-result">
  | With<{ readonly turn: PublicTurn }, "turn">
  | With<{ readonly outcome: PublicOutcome }, "end">;

export function toPublicEvent(event: RunEvent, errors: ErrorDetail): PublicEvent | undefined {
  if (event.type === "chunk") return undefined;
  if (event.type === "turn") return { ...event, turn: toPublicTurn(event.turn, errors) };
  if (event.type === "end") return { ...event, outcome: toPublicOutcome(event.outcome, errors) };
  if (event.type === "tool-result")
    return { ...event, call: toPublicCall(event.call), result: withoutProviderData(event.result) };
  if (event.type === "tool-call" || event.type === "tool-progress")
    return { ...event, call: toPublicCall(event.call) };
  return event;
}

const toPublicCall = ({ id, name, input, by }: ToolCall): PublicCall => ({
  id,
  name,
  input,
  ...(by !== undefined && { by }),
});
const toWithheld = (call: WithheldCall): PublicWithheldCall => ({ ...call, withheld: true });

function toPublicTurn(turn: Turn, errors: ErrorDetail): PublicTurn {
  const { stopReason, text, usage, requestId, sideEffects, native, message, leakedCall } = turn;
  const isExplained = turn.withheld.length > 0 || "error" in turn || leakedCall !== undefined;
  return {
    stopReason,
    text,
    usage,
    ...(native !== undefined && { native: native.stop }),
    ...(requestId !== undefined && { requestId }),
    ...(sideEffects !== undefined && { sideEffects }),
    ...(leakedCall !== undefined && { leakedCall }),
    content: message === undefined ? [] : publicBlocks(message),
    calls: turn.calls.map(toPublicCall),
    withheld: turn.withheld.map(toWithheld),
    ...("error" in turn && { error: publicError(turn.error, errors) }),
    ...(isExplained && { explanation: explainTurn(turn, errors) }),
  };
}

const publicBlocks = ({ content }: AssistantMessage): readonly PublicBlock[] =>
  content.flatMap((block): readonly PublicBlock[] => {
    if (block.type === "native") return [];
    if (block.type === "tool-call") {
      const { type, id, name, inputText } = block;
      return [{ type, id, name, inputText }];
    }
    return [{ type: block.type, text: block.text }];
  });

/** The result as the model gets it, without opaque data in its texts. */
export function withoutProviderData(result: ToolResultBlock): ToolResultBlock {
  if (typeof result.content === "string") return result;
  const content = result.content.map((block) =>
    block.type === "text" ? { type: block.type, text: block.text } : block,
  );
  return { ...result, content };
}

type StatusMembers = {
  readonly [Status in Outcome["status"]]: (
    outcome: Extract<Outcome, { readonly status: Status }>,
    errors: ErrorDetail,
  ) => object;
};

/** What each status adds. The conversation, the turn and the cost stay on the server. */
const statusMembers: StatusMembers = {
  done: ({ output, empty }) => ({ output, ...(empty && { empty }) }),
  stopped: () => ({}),
  "invalid-output": ({ issues }) => ({ issues }),
  truncated: ({ withheld, cause }) => ({
    withheld: withheld.map(toWithheld),
    ...(cause && { cause }),
  }),
  refused: ({ by }) => ({ by }),
  failed: ({ error }, errors) => ({ error: publicError(error, errors) }),
  waiting: ({ calls }) => ({ calls }),
  stuck: ({ call }) => ({ call: toPublicCall(call) }),
  limit: ({ limit }) => ({ limit }),
  aborted: () => ({}),
};

function toPublicOutcome(outcome: Outcome, errors: ErrorDetail): PublicOutcome {
  const { status, text, turns, usage } = outcome;
  const addMembers = statusMembers[status] as (outcome: Outcome, errors: ErrorDetail) => object;
  const summary = publicSummary(outcome, errors);
  return { status, text, summary, turns, usage, ...addMembers(outcome, errors) };
}
