import type { Adapter, Message, Origin, Usage } from "@fullstop/core";
import type { Tool } from "./tool.ts";

/**
 * May a call run? `"later"`: the run ends with the status `waiting`, before any call of the turn
 * has run. `{ deny }` gives the model a reason. `{ allow: input }` is valid for this input only:
 * use it if the decision is stored apart from the call.
 */
export type Decision = boolean | "later" | { readonly deny: string } | { readonly allow: object };

/** A call as `approve` sees it. It is plain data: only the call that the gate issued can run. */
export interface ReviewedCall {
  /** The id of the call. In a sub-agent it is the journal key, which is unique in the whole run. */
  readonly id: string;
  /** The tool that the model calls. */
  readonly name: string;
  /** The validated input: the same frozen value that `execute` gets. */
  readonly input: Readonly<Record<string, unknown>>;
  /** The tool completed this input after the reply was cut (`salvage`). */
  readonly by?: "loop";
  /** `"result"`: the tool has no `execute`, so `waiting.results` must answer the call. */
  readonly needs: "decision" | "result";
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
  /** Default: all causes. */
  readonly when?: readonly FallbackCause[] | undefined;
}

/**
 * The cost of one reply, in any unit. `from` says which adapter gave it: that of the run, of the
 * turn, of a sub-agent, or a fallback.
 */
export type Price = (usage: Usage, from: Origin) => number;

/** Something that a run does once, such as a request or a call. */
export interface JournalStep {
  /**
   * `<run>/<turn>/model`, `<run>/<turn>/<position>` and so on. The keys of a sub-agent begin with
   * the key of its call instead of `<run>`. A key never contains an id of the provider.
   */
  readonly key: string;
  /** What the step does. Only a step of the kind `tool` calls `begin`. */
  readonly kind: "run" | "model" | "tool" | "approval" | "before-turn" | "compaction";
}

/** Records that the step may have side effects from now on. */
export type BeginStep = () => Promise<void>;

/**
 * Remembers the steps of a run, so that a run which was killed can continue without repeating them.
 */
export interface Journal {
  /**
   * Returns the recorded result of the step, if its end is recorded. If only its beginning is
   * recorded, returns the result of `inDoubt`. Otherwise it calls `run`, and records the result
   * (plain JSON) before it returns it. `begin` must be recorded before it resolves. If `run`
   * throws, `step` throws the same value and records no end.
   */
  step<T>(step: JournalStep, run: (begin: BeginStep) => Promise<T>, inDoubt: () => T): Promise<T>;
}
