import type {
  Adapter,
  Message,
  NativeTool,
  Turn,
  TurnRequest,
  Usage,
  UserMessage,
} from "@fullstop/core";
import type { Origin } from "@fullstop/core/adapter";
import type { Tool, ToolOutput } from "./tool.ts";

/**
 * May a call run? `"later"`: the run ends with the status `waiting`, before any call of the turn
 * has run. `{ deny }` gives the model a reason. `{ allow: input }` is valid for this input only:
 * use it if the decision is stored apart from the call. An input that a person edited does not run:
 * answer `{ deny }`, and say what the model should change.
 */
export type Decision = boolean | "later" | { readonly deny: string } | { readonly allow: object };

/** A call as `approve` sees it. It is plain data: only the call that the gate issued can run. */
export interface ReviewedCall {
  /**
   * The id of the call. With a journal it is the journal key of the call in a sub-agent, and if an
   * older call of the run had the same id. If an attempt that "did not happen" was made again and is
   * in doubt too, it ends with `/attempt/2`.
   */
  readonly id: string;
  /** The tool that the model calls. */
  readonly name: string;
  /** The validated input: the same frozen value that `execute` gets; in an outcome as JSON. */
  readonly input: Readonly<Record<string, unknown>>;
  /** The tool completed this input after the reply was cut (`salvage`). */
  readonly by?: "loop";
  /**
   * `"result"`: the tool has no `execute`, so `waiting.results` must answer the call.
   * `"settlement"`: it had started, and its result is not recorded; `waiting.settlements` says what
   * became of it.
   * `"input"`: the tool asks a person, and `waiting.inputs` has the answer.
   */
  readonly needs: "decision" | "result" | "settlement" | "input";
  /**
   * The key that the tool gets, the same for each attempt. To settle a doubt, ask the service of the
   * tool by it. Absent: an earlier release stored the call.
   */
  readonly idempotencyKey?: string;
  /** The `revision` of the tool, if it has one. */
  readonly revision?: string;
  /** What the tool asks, if it needs an input. */
  readonly question?: unknown;
}

/** The second argument of `approve`. */
export interface ApprovalContext {
  /** Aborts with the run. Close an open prompt then: its answer no longer counts. */
  readonly signal: AbortSignal;
  /** The tool that would run. Undefined if the provider asks about one of its own tools. */
  readonly tool: Tool | undefined;
}

/** Decides whether a call may run. */
export type Approve = (
  call: ReviewedCall,
  context: ApprovalContext,
) => Decision | Promise<Decision>;

/** Returns a smaller conversation, which replaces the old one, in `outcome.messages` too. */
export type Compact = (
  messages: readonly Message[],
  signal: AbortSignal,
) => readonly Message[] | Promise<readonly Message[]>;

/** A reason to ask another adapter. */
export type FallbackCause =
  /** The model declined. */
  | "refused"
  /** A filter cut or blocked the reply. */
  | "filtered"
  /**
   * The provider, the connection or the reply failed, and another request to this adapter is not
   * possible: the requests of the turn are used up, the error is not one that passes (a key, a
   * model that was retired), or the provider asks for a wait above `maxWaitMs`.
   */
  | "failed"
  /** The context window is full, and `compact` did not help. */
  | "window";
/** Another adapter, and when it is asked. */
export interface Fallback {
  /** The model that is asked instead. */
  readonly adapter: Adapter;
  /** Default: all causes. `["refused"]` keeps a dearer model for what this one does not answer. */
  readonly when?: readonly FallbackCause[] | undefined;
}

/**
 * The cost of one reply, in any unit. `from` says which adapter gave it: that of the run, of the
 * turn, of a sub-agent, or a fallback.
 */
export type Price = (usage: Usage, from: Origin) => number;

/**
 * What became of a call that had started, and whose result is not known. `{ result }`: it happened,
 * and the model gets this result. `"did-not-happen"`: it runs now. `"unknown"`: the model is asked to
 * check. `"later"`: the run ends with the status `waiting`, and a person settles it.
 */
export type Settlement = { readonly result: ToolOutput } | "did-not-happen" | "unknown" | "later";

/** The second argument of `settle`. */
export interface SettleContext extends ApprovalContext {
  /**
   * The key that the tool got for this call, the same for each attempt. A service that was given the
   * key knows by it what it did.
   */
  readonly idempotencyKey: string;
}

/** Settles a call that is in doubt. The answer is recorded, except `"later"`. */
export type Settle = (
  call: ReviewedCall,
  context: SettleContext,
) => Settlement | Promise<Settlement>;

/** What is the same in every request, apart from the system prompt and the tools. */
export interface RequestSettings
  extends Pick<TurnRequest, "toolChoice" | "maxTokens" | "effort" | "cache"> {}

/** What `beforeTurn` sees. */
export interface UpcomingTurn {
  /** The conversation so far. */
  readonly messages: readonly Message[];
  /** The number of the turn that comes next, from 1. */
  readonly turn: number;
  /**
   * The journal holds this turn, and it had other changes than `messages`. The `messages` that are
   * returned now do not count, so do not take them out of a queue.
   */
  readonly replayed?: true;
}
/**
 * What `beforeTurn` changes for one turn, with all its requests. A setting that is absent stays as
 * the options of the run say. A journal remembers only `messages`. If there were other changes, a
 * resumed run calls `beforeTurn` again, so they should depend on the argument alone.
 */
export interface TurnChanges extends Partial<RequestSettings> {
  /** User messages that join the conversation before the request, and stay in it. */
  readonly messages?: readonly UserMessage[] | undefined;
  /**
   * The model of this turn. Not used after a fallback replaced the adapter: a fallback stays for
   * the rest of the run.
   */
  readonly adapter?: Adapter | undefined;
  /** Instructions for this turn, instead of those of the run. */
  readonly system?: string | undefined;
  /**
   * The tools of this turn, instead of those of the run. If the turn ends with the status
   * `waiting`, the calls run with `tools` of the run that continues.
   */
  readonly tools?: readonly (Tool | NativeTool)[] | undefined;
}
/**
 * Called before each turn. It may add messages and change what is requested. Not called before a
 * turn that continues a paused one: that is sent back as it was, with the same changes.
 */
export type BeforeTurn = (
  next: UpcomingTurn,
) => TurnChanges | undefined | Promise<TurnChanges | undefined>;

/** What `stopWhen` sees, after the calls of a turn have run. */
export interface TurnEnd {
  /** The turn whose calls have run. */
  readonly turn: Turn;
  /** Turns that began, including this one. */
  readonly turns: number;
  /** The conversation, including the results of the calls. */
  readonly messages: readonly Message[];
  /** The sum of all requests so far. */
  readonly usage: Usage;
  /** Set if there is a `limits.price`. */
  readonly cost?: number | undefined;
}
/**
 * Ends the run with the status `stopped` if it returns true. Not called if the run ends anyway. A
 * resumed run calls it again, so it should depend on the argument alone.
 */
export type StopWhen = (end: TurnEnd) => boolean | Promise<boolean>;
/** A `stopWhen`: the model called one of these tools, and the calls of the turn have run. */
export const hasToolCall =
  (...names: readonly [string, ...string[]]): StopWhen =>
  ({ turn }) =>
    turn.calls.some(({ name }) => names.includes(name));
