import type { Adapter, Message, NativeTool, TurnRequest, UserMessage } from "@fullstop/core";
import type { RunEvent } from "../event.ts";
import type { Approve, BeforeTurn, Compact, Decision, Journal, Price } from "./ports.ts";
import type { Tool } from "./tool.ts";

/** What a run may use, and how long it waits. Durations are in milliseconds. */
export interface Limits {
  /** Replies that join the conversation. Default: 100. */
  readonly turns?: number | undefined;
  /** Calls of the model. If a turn has more calls than are left, none of them runs. */
  readonly toolCalls?: number | undefined;
  /** Output tokens of all requests together. Checked after each reply. */
  readonly outputTokens?: number | undefined;
  /** In the unit of `price`, which it requires. Checked after each reply. */
  readonly cost?: number | undefined;
  /**
   * The cost of a reply; `outcome.cost` is the sum. If it throws or does not return a number,
   * `outcome()` rejects.
   */
  readonly price?: Price | undefined;
  /**
   * Time for the whole run. At the deadline, work in progress is aborted through its signal.
   */
  readonly deadlineMs?: number | undefined;
  /**
   * Time until the first event of a reply. Without it only `idleMs` applies. Some models think for
   * a long time before the first event.
   */
  readonly firstEventMs?: number | undefined;
  /**
   * Time without an event after which a reply counts as interrupted. The default is that of
   * `readTurn`.
   */
  readonly idleMs?: number | undefined;
  /** Tools of a turn that run at the same time. Default: 8. */
  readonly concurrency?: number | undefined;
  /**
   * Characters of text in one tool result. Default: 262,144. The loop keeps the beginning and the
   * end of a longer output, and tells the model what is missing.
   */
  readonly resultChars?: number | undefined;
}
/**
 * The limits that end a run. The calls of the reply that reaches one get a result, but do not run.
 */
export type Limit = "turns" | "toolCalls" | "outputTokens" | "cost" | "deadlineMs";

/** What is the same in every request, apart from the system prompt and the tools. */
export interface RequestSettings
  extends Pick<TurnRequest, "toolChoice" | "maxTokens" | "effort" | "cache"> {}

/** What the loop does about a reply that it cannot simply accept. */
export interface RecoveryOptions {
  /**
   * Requests for one turn, over all causes. Default: 3.
   * With 1 the model also gets no notes, unless `notes` is set: each turn is then one request.
   */
  readonly requests?: number | undefined;
  /**
   * Notes to the model, for each of three kinds, until its calls run again: a call was cut
   * (default: 2), a call cannot be used (3), a text was cut (3). Each note costs a turn. 0 turns
   * notes off.
   */
  readonly notes?: number | undefined;
  /**
   * Milliseconds between two requests, at most. Default: 60,000. If the provider asks for a longer
   * wait, the run ends, and the error says how long.
   */
  readonly maxWaitMs?: number | undefined;
  /**
   * Called when the context window is full, once a turn. `dropOldest` is one that needs no model.
   */
  readonly compact?: Compact | undefined;
  /**
   * The adapter that replaces `adapter` for the rest of the run after a reply was refused or
   * filtered.
   */
  readonly fallback?: Adapter | undefined;
}

/** Where the steps of a run are remembered. */
export interface JournalOptions {
  /**
   * Remembers the steps of the run. The same options with the same `runId` resume a run that was
   * killed.
   */
  readonly store: Journal;
  /** The name of this run. All its journal keys begin with it. */
  readonly runId: string;
}

/** A run that ended with the status `waiting`, and the decisions about its calls. */
export interface Waiting {
  /** `outcome.turn`, as it was or parsed from JSON. The gate issues its calls again. */
  readonly turn: unknown;
  /** By the `id` of the call. `approve` decides about the calls that are missing here. */
  readonly decisions: Readonly<Record<string, Decision>>;
}

/** The options of `run`. */
export interface RunOptions {
  /** The model: `anthropic(model)`, `openai(model)` and so on create an adapter. */
  readonly adapter: Adapter;
  /** Instructions before the conversation. */
  readonly system?: string | undefined;
  /** What the user says: text, or a list of text, image and file blocks. */
  readonly prompt?: UserMessage["content"] | undefined;
  /** The conversation so far. If `prompt` is given too, it follows these messages. */
  readonly messages?: readonly Message[] | undefined;
  /**
   * The tools that the model may call. A `NativeTool` is defined, and usually run, by its provider.
   */
  readonly tools?: readonly (Tool | NativeTool)[] | undefined;
  /**
   * Decides about each call of a turn before the first of them runs. Without it all calls run. If
   * it throws, the call does not run.
   */
  readonly approve?: Approve | undefined;
  /**
   * Tool choice, output cap, effort and caching. A forced `toolChoice` applies to the first turn
   * only. `maxTokens` is the first output cap: the loop may raise it if a call is cut.
   */
  readonly request?: RequestSettings | undefined;
  /** What the run may use, and how long it waits. */
  readonly limits?: Limits | undefined;
  /** How often the loop tries again, and what it changes, before a turn counts as failed. */
  readonly recovery?: RecoveryOptions | undefined;
  /**
   * Called before each request, after the results of the previous calls and after `onEvent` has
   * seen them. Not called before a retry. If it throws, the run ends, and `outcome()` rejects with
   * the thrown value.
   */
  readonly beforeTurn?: BeforeTurn | undefined;
  /** Where the steps of the run are remembered, so that a run that was killed can be resumed. */
  readonly journal?: JournalOptions | undefined;
  /** Resumes a run that ended with the status `waiting`, from its `messages`. */
  readonly waiting?: Waiting | undefined;
  /**
   * Aborts the run: the reply, the tools and the wait in progress. The status is then `aborted`.
   */
  readonly signal?: AbortSignal | undefined;
  /**
   * Receives each event synchronously. If it throws or rejects, the run continues, and the first
   * error is `outcome.observerError`.
   */
  readonly onEvent?: ((event: RunEvent) => void) | undefined;
}
