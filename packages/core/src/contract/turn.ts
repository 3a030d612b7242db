import type { ProviderError } from "./error.ts";
import type { AssistantMessage, NativeStop, Usage } from "./message.ts";
import type { FailedStop, StopReason } from "./stop.ts";

/** A protected member makes the type nominal: neither a literal nor a spread copy has it. */
declare class Issued {
  protected readonly passedTheGate: true;
}
/**
 * A call that may run. Its input was parsed once, strictly, and is frozen (`{ text }` for a
 * free-form tool). Only `createGate`, `restoreTurn` and `salvageTurn` issue one, and it is never
 * stored. `isToolCall` recognizes it; a copy is not one.
 */
export interface ToolCall extends Issued {
  /** Unique in its history. The result of the call has the same id. */
  readonly id: string;
  /** The tool that the model calls. The gate does not check that it was offered. */
  readonly name: string;
  /** Parsed once, strictly, and frozen. It is not yet compared with a schema. */
  readonly input: Readonly<Record<string, unknown>>;
  /** The provider asks whether it may run one of its own tools: the result is the answer. */
  readonly asks?: "approval";
  /** The tool's `salvage` completed its input, not the model. */
  readonly by?: "loop";
}

/** Why the calls of a reply were withheld: the first rule of the gate that it failed. */
export type WithheldReason =
  /** The caller's signal aborted the reply. */
  | "aborted"
  /** The provider reported an error. */
  | "error"
  /** A part of the reply cannot be read, or contradicts the rest. */
  | "malformed-frame"
  /** The reply ended before the protocol's own end, or without a stop reason. */
  | "no-terminal"
  /** The stop reason does not permit tool calls. */
  | "stop-reason"
  /** One of the caller's stop sequences ended the reply. */
  | "stop-sequence"
  /** The usage reached the output cap, although another stop reason was reported. */
  | "cap-reached"
  /**
   * The host reports cut replies as finished, and no usage shows that this one is below the cap.
   */
  | "cap-unproven"
  /** The protocol marks the end of each tool input, and did not mark this one. */
  | "not-closed"
  /** A call has no name. */
  | "no-name"
  /** The name of a call holds special tokens of the model. */
  | "name-damaged"
  /** The stop reason is one for calls, and no call came. */
  | "no-call"
  /** An input is empty, and a part of it may be missing. */
  | "input-missing"
  /** An input is the beginning of JSON. */
  | "input-cut"
  /** An input is not JSON. */
  | "invalid-json"
  /** An input is JSON, but not an object. */
  | "not-an-object"
  /** An input contains a number that would be rounded. */
  | "number-too-large"
  /** An input contains a `__proto__` key. */
  | "unsupported";

/** The rules of the gate, in the order in which they are checked. */
export type RuleName =
  | "notAborted"
  | "noProviderError"
  | "readable"
  | "transportIntact"
  | "ended"
  | "finished"
  | "callsPermitted"
  | "belowCap"
  | "inputsClosed"
  | "callsNamed"
  | "inputsNotMissing"
  | "inputsValid"
  | "hasRequestedCall";
/** What one rule of the gate found in a reply. */
export interface RuleResult {
  /** ARCHITECTURE.md says when it fails. */
  readonly rule: RuleName;
  /** Whether the reply keeps the rule. */
  readonly passed: boolean;
  /** It is the first rule that failed: it gives the verdict. */
  readonly decisive?: true;
  /** What a rule that failed found. */
  readonly reason?: WithheldReason;
  /** The evidence, and the option that settles the doubt: one or two sentences. */
  readonly detail?: string;
}

/**
 * The object that a finished reply is, if its request asked for one (`output`). It was parsed once,
 * strictly, and is frozen; the gate does not compare it with the schema. Otherwise the reason why
 * the text cannot be used.
 */
export type ReplyOutput =
  | { readonly value: Readonly<Record<string, unknown>> }
  | { readonly withheld: WithheldReason; readonly detail?: string };

/** What arrived of a call that must not run. */
export interface WithheldCall {
  /** Unique in its history, as the id of a call that may run. */
  readonly id: string;
  /** Undefined: the reply ended before the name came. */
  readonly name?: string | undefined;
  /** What arrived of the input, byte for byte. */
  readonly inputText: string;
  /** The input of a free-form tool: text, not JSON. */
  readonly kind?: "text";
  /** The first rule of the gate that the reply failed. */
  readonly reason: WithheldReason;
  /** The evidence, and the option that settles the doubt: one or two sentences. */
  readonly detail?: string;
}

/** The markup in which a model wrote a call as text: see `packages/core/src/leak/forms.ts`. */
export type LeakedForm =
  | "tool-call-json"
  | "function-tag"
  | "arg-key"
  | "invoke"
  | "dsml"
  | "tool-calls-bracket"
  | "harmony"
  | "gemma"
  | "gemma-bare"
  | "call-begin"
  | "tool-sep"
  | "python-tag"
  | "json";

/** A call that the model wrote as text. It is text: nothing of it is ever a `ToolCall`. */
export interface LeakedCall {
  /** The tool that it names. It was offered. */
  readonly name: string;
  /** The markup that it is written in. */
  readonly form: LeakedForm;
  /** Whether the text of the reply ends in it, or the thinking of a reply without a text. */
  readonly in: "text" | "thinking";
  /** Where it begins: the position of its first character. */
  readonly at: number;
}

interface TurnBase {
  /** The native stop reason, if one came. */
  readonly native?: NativeStop | undefined;
  /** All text that arrived, whether history keeps it or not. */
  readonly text: string;
  /** Tokens. A count that the provider did not report is 0. */
  readonly usage: Usage;
  /** The id that the provider's support asks for. */
  readonly requestId?: string | undefined;
  /** The id that the provider gave the reply. */
  readonly responseId?: string | undefined;
  /** The model that answered. Behind an alias or a router it is not the one that was asked. */
  readonly responseModel?: string | undefined;
  /**
   * A provider-executed tool has started and may have changed something. Another request may repeat
   * that.
   */
  readonly sideEffects?: true;
  /**
   * The reply was finished or cut, has no structured call, and ends in a call of an offered tool
   * that the model wrote as text. `readTurn` looks for it; `createGate` does not.
   */
  readonly leakedCall?: LeakedCall | undefined;
  /**
   * What each rule of the gate found in the reply, in their order. If a tool completed a cut call
   * (`salvage`), the rule that the reply failed is still marked. Absent in a turn that was stored
   * before the gate reported it.
   */
  readonly rules?: readonly RuleResult[] | undefined;
}
interface WithoutCalls extends TurnBase {
  /** The message for history, if the reply may join it. */
  readonly message?: AssistantMessage | undefined;
  /** Empty: no call may run. */
  readonly calls: readonly [];
  /** The calls that arrived and must not run. All have the same `reason`. */
  readonly withheld: readonly WithheldCall[];
}
/** A finished reply whose calls may run. */
export interface ToolUseTurn extends TurnBase {
  /** The model finished and calls tools. */
  readonly stopReason: "tool-use";
  /** The message for history. The results of `calls` follow it. */
  readonly message: AssistantMessage;
  /** The calls of the reply, in its order. Each may run. */
  readonly calls: readonly [ToolCall, ...ToolCall[]];
  /** Empty: a reply's calls are all issued, or all withheld. */
  readonly withheld: readonly [];
}
/** A reply that ended without an error and without calls that may run. */
export interface EndedTurn extends WithoutCalls {
  /** Why it ended, the same for every provider. */
  readonly stopReason: Exclude<StopReason, "tool-use" | FailedStop>;
  /** Set under the stop reason `stop`, if the request asked for an object. */
  readonly output?: ReplyOutput | undefined;
}
/** A reply that failed. `error` says how. */
export interface FailedTurn extends WithoutCalls {
  /** Why it ended, the same for every provider. */
  readonly stopReason: FailedStop;
  /** What went wrong, and what the reader can do. */
  readonly error: ProviderError;
}
/** The verdict on one reply. `calls` is not empty exactly if the reason is `tool-use`. */
export type Turn = ToolUseTurn | EndedTurn | FailedTurn;
