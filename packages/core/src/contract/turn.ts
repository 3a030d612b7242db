import type { ProviderError } from "./error.ts";
import type { AssistantMessage, NativeStop, Usage } from "./message.ts";
import type { FailedStop, StopReason } from "./stop.ts";

/** A protected member makes the type nominal: neither a literal nor a copy by spreading has it. */
declare class Licence {
  protected readonly passedTheGate: true;
}
/**
 * A call that may run. Its input was parsed once, strictly, and is frozen (`{ text }` for a free-form tool).
 * Only the gate gives one out, through `createGate`, `restoreTurn` or `salvageTurn`; it is never stored. `isToolCall` tells one from a copy.
 */
export interface ToolCall extends Licence {
  /** Unique in its history; the result that answers the call carries the same. */
  readonly id: string;
  /** The tool that the model calls. The gate does not compare it with the tools that were offered. */
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** Its input was completed by the tool's salvage, not by the model. */
  readonly by?: "loop";
}

/** Which rule of the gate a reply failed first. */
export type WithheldReason =
  /** The caller's signal fired. */
  | "aborted"
  /** The provider reported an error. */
  | "error"
  /** A part of the reply cannot be read, or contradicts the rest. */
  | "malformed-frame"
  /** The reply ended before its protocol's own end, or without a word. */
  | "no-terminal"
  /** The provider's word is none under which calls run. */
  | "stop-reason"
  /** A stop sequence of the caller's ended it. */
  | "stop-sequence"
  /** The usage reached the output cap, whatever the word says. */
  | "cap-reached"
  /** The host calls cut replies whole, and no usage shows that this one is below the cap. */
  | "cap-unproven"
  /** The protocol closes each call, and did not close this one. */
  | "not-closed"
  /** A call has no name. */
  | "no-name"
  /** An input is empty, and nothing proves that it may be: a part of it may be missing. */
  | "input-missing"
  /** An input is the beginning of JSON. */
  | "input-cut"
  /** An input is no JSON. */
  | "invalid-json"
  /** An input is JSON, but no object. */
  | "not-an-object"
  /** A number of an input would be rounded. */
  | "number-too-large"
  /** An input holds a `__proto__` key. */
  | "unsupported";

/** What arrived of a call that must not run. */
export interface WithheldCall {
  readonly id: string;
  readonly name?: string | undefined;
  /** What arrived of its input, byte for byte. */
  readonly inputText: string;
  /** A free-form tool's input: text, not JSON. */
  readonly kind?: "text";
  /** The first rule of the gate that the reply failed. */
  readonly reason: WithheldReason;
  /** The evidence, and the option that settles the doubt, in a sentence or two. */
  readonly detail?: string;
}

interface TurnBase {
  /** The provider's own word; absent where none came. */
  readonly native?: NativeStop | undefined;
  /** All the text that arrived, kept in history or not. */
  readonly text: string;
  /** Tokens, as far as the provider said; 0 where it said nothing. */
  readonly usage: Usage;
  /** What the provider's support asks for. */
  readonly requestId?: string | undefined;
  /** A tool that the provider runs itself has begun, and may have changed something: asking again may repeat it. */
  readonly sideEffects?: true;
}
interface WithoutCalls extends TurnBase {
  /** What joins history; absent where nothing may. */
  readonly message?: AssistantMessage | undefined;
  /** Nothing may run. */
  readonly calls: readonly [];
  /** The calls that arrived and must not run, all for the same `why`. */
  readonly withheld: readonly WithheldCall[];
}
/** A finished reply with calls, which may run. */
export interface ToolUseTurn extends TurnBase {
  /** The model finished, and calls tools. */
  readonly stopReason: "tool-use";
  /** What joins history. The results of `calls` follow it. */
  readonly message: AssistantMessage;
  /** Licences to run these calls: all of the reply, in its order. */
  readonly calls: readonly [ToolCall, ...ToolCall[]];
  /** Empty: of a reply, all calls are given out or none. */
  readonly withheld: readonly [];
}
/** A reply that ended without a failure, and without a call that may run. */
export interface EndedTurn extends WithoutCalls {
  /** Why it ended, the same for every provider. */
  readonly stopReason: Exclude<StopReason, "tool-use" | FailedStop>;
}
/** A reply that went wrong: `error` says how. */
export interface FailedTurn extends WithoutCalls {
  /** Why it ended, the same for every provider. */
  readonly stopReason: FailedStop;
  /** What went wrong, and what a person can do. */
  readonly error: ProviderError;
}
/** One finished reply. `calls` is non-empty exactly when the reason is `tool-use`. */
export type Turn = ToolUseTurn | EndedTurn | FailedTurn;
