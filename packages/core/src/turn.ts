import type { ProviderError } from "./error.ts";
import type { AssistantMessage, NativeStop, Usage } from "./message.ts";
import type { FailedStop, StopReason } from "./stop.ts";

declare const passedTheGate: unique symbol;
/**
 * A licence to run one call. Its input was parsed once, strictly, and is frozen (`{ text }` for a free-form tool).
 * Only the gate gives one out, through `createGate`, `restoreTurn` or `salvageTurn`; it is never stored.
 */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** Its input was completed by the tool's salvage, not by the model. */
  readonly by?: "loop";
  readonly [passedTheGate]: true;
}

/** Which rule of the gate a reply failed first. */
export type WithheldReason =
  | "aborted"
  | "error"
  | "malformed-frame"
  | "no-terminal"
  | "stop-reason"
  | "stop-sequence"
  | "cap-reached"
  | "cap-unproven"
  | "not-closed"
  | "no-name"
  | "input-missing"
  | "input-cut"
  | "invalid-json"
  | "not-an-object"
  | "number-too-large"
  | "unsupported";

/** What arrived of a call that must not run. */
export interface WithheldCall {
  readonly id: string;
  readonly name?: string | undefined;
  readonly inputText: string;
  /** A free-form tool's input: text, not JSON. */
  readonly kind?: "text";
  readonly why: WithheldReason;
}

interface TurnBase {
  readonly native?: NativeStop | undefined;
  /** All the text that arrived, kept in history or not. */
  readonly text: string;
  readonly usage: Usage;
  readonly requestId?: string | undefined;
  /** A tool that the provider runs itself has begun, and may have changed something: asking again may repeat it. */
  readonly effects?: true;
}
interface WithoutCalls extends TurnBase {
  /** What joins history; absent where nothing may. */
  readonly message?: AssistantMessage | undefined;
  readonly calls: readonly [];
  readonly withheld: readonly WithheldCall[];
}
/** A finished reply with calls, which may run. */
export interface ToolUseTurn extends TurnBase {
  readonly stopReason: "tool-use";
  readonly message: AssistantMessage;
  readonly calls: readonly [ToolCall, ...ToolCall[]];
  readonly withheld: readonly [];
}
/** A reply that ended without a failure, and without a call that may run. */
export interface EndedTurn extends WithoutCalls {
  readonly stopReason: Exclude<StopReason, "tool-use" | FailedStop>;
}
/** A reply that went wrong: `error` says how. */
export interface FailedTurn extends WithoutCalls {
  readonly stopReason: FailedStop;
  readonly error: ProviderError;
}
/** One finished reply. `calls` is non-empty exactly when the reason is `tool-use`. */
export type Turn = ToolUseTurn | EndedTurn | FailedTurn;
