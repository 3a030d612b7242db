import type { Adapter, InputSchema, Message, NativeTool, UserMessage } from "@fullstop/core";
import type { Observer } from "./event.ts";
import type { Journal } from "./journal.ts";
import type { Limits } from "./limits.ts";
import type {
  Approve,
  BeforeTurn,
  Compact,
  Decision,
  Fallback,
  RequestSettings,
  Settle,
  Settlement,
  StopWhen,
} from "./ports.ts";
import type { Tool, ToolOutput } from "./tool.ts";

/** What the loop does about a reply that it cannot simply accept. */
export interface RecoveryOptions {
  /**
   * Requests for one turn to one adapter, over all causes. Default: 3. Each adapter of `fallback`
   * has as many again, so a turn has at most `requests` times the number of adapters.
   * With 1 the model also gets no notes, unless `notes` is set: each turn is then one request.
   */
  readonly requests?: number | undefined;
  /**
   * Notes to the model, for each of six kinds, until its calls run again: a call or an object was
   * cut (default: 2), a call cannot be used (3), a call was written as text (2), a text was cut (3),
   * an answer does not fit `output` (3), a reply after tool results was empty (1). Each note costs a
   * turn. 0 turns notes off: failed requests are repeated, and a cut reply ends the run.
   */
  readonly notes?: number | undefined;
  /**
   * How often the output cap is doubled in a run because a reply was cut, up to the ceiling of the
   * model. Default: twice if `request.maxTokens` is set, so to four times that cap at most; without
   * it up to the ceiling, or four times if the ceiling is not known. 0: never.
   */
  readonly capRaises?: number | undefined;
  /**
   * Whether a reply that ends in a call which the model wrote as text (`turn.leakedCall`) gets a
   * note. Default: true. With `false` it is an answer like every other text.
   */
  readonly leakedCalls?: boolean | undefined;
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
   * Adapters that replace `adapter` for the rest of the run, in this order. A turn switches to each
   * at most once, and never after a tool of the provider may have changed something. A switch comes
   * after the retries and `compact`, and before a note about a full window and `salvage`.
   */
  readonly fallback?: readonly Fallback[] | undefined;
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
  /**
   * Asked about a call whose outcome is not known, and that may not be repeated: the process was
   * killed, its time limit was reached, or it threw `UnknownOutcome`. Default: the model learns that
   * the outcome is unknown. If it throws, `outcome()` rejects.
   */
  readonly settle?: Settle | undefined;
}

/** A run that ended with the status `waiting`, and what was decided about its calls. */
export interface Waiting {
  /**
   * `outcome.turn`, as it was or parsed from JSON. The gate issues its calls again. Leave it out if
   * `journal` has the run: with the same `runId` it continues there. If other calls of the turn have
   * run, the turn is marked, and `run` throws.
   */
  readonly turn?: unknown;
  /**
   * By the `id` of the call. `approve` decides about the calls that are missing here. Without
   * `approve` a decision is needed for each call that made the run wait.
   */
  readonly decisions?: Readonly<Record<string, Decision>> | undefined;
  /**
   * The results of calls whose tool has no `execute`, by the `id` of the call: the same values as
   * an `execute` may return. If one is missing, `run` throws. With a journal it looks for the
   * result there first, and the run waits again if it is not there.
   */
  readonly results?: Readonly<Record<string, ToolOutput>> | undefined;
  /** What tools asked for with `needsInput`, by the `id` of the call. Needs `journal`. */
  readonly inputs?: Readonly<Record<string, unknown>> | undefined;
  /** What became of calls that are in doubt, by the `id` of the call. Needs `journal`. */
  readonly settlements?: Readonly<Record<string, Settlement>> | undefined;
}

/** The options of `run`. `Output` is what `output` makes of the answer. */
export interface RunOptions<Output = unknown> {
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
   * What the answer must be: zod, arktype, `jsonSchema(…)` or any Standard Schema with JSON Schema,
   * of an object. `outcome.output` is then the answer, checked and typed. Only a finished reply
   * counts; nothing is repaired. If the provider has no format for it, the loop adds a tool named
   * `final_output`. Cannot be combined with a tool that has `ends`.
   */
  readonly output?: InputSchema<object, Output> | undefined;
  /**
   * Decides about each call of a turn before the first of them runs, except those of a tool with
   * `needsApproval: false`. Without it all calls run. If it throws, the call does not run.
   */
  readonly approve?: Approve | undefined;
  /**
   * Tool choice, output cap, effort and caching. A forced `toolChoice` applies to the first turn
   * only. `maxTokens` is the first output cap: if a call is cut, the loop doubles it, at most twice
   * (`recovery.capRaises`).
   */
  readonly request?: RequestSettings | undefined;
  /** What the run may use, and how long it waits. */
  readonly limits?: Limits | undefined;
  /** How often the loop tries again, and what it changes, before a turn counts as failed. */
  readonly recovery?: RecoveryOptions | undefined;
  /**
   * Adds messages and changes the request, the tools or the model of the next turn. Called after
   * the results of the previous calls, and after `onEvent` has seen them. Not called before a retry
   * or before a paused turn continues. If it throws, `outcome()` rejects with the thrown value.
   */
  readonly beforeTurn?: BeforeTurn | undefined;
  /**
   * Called after the calls of a turn have run. If it, or one of a list, returns true, the run ends
   * with the status `stopped`. If it throws, `outcome()` rejects with the thrown value.
   */
  readonly stopWhen?: StopWhen | readonly StopWhen[] | undefined;
  /** Where the steps of the run are remembered, so that a run that was killed can be resumed. */
  readonly journal?: JournalOptions | undefined;
  /** Resumes a run that ended with the status `waiting`, from its `messages`. */
  readonly waiting?: Waiting | undefined;
  /**
   * Aborts the run: the reply, the tools and the wait in progress. The status is then `aborted`.
   */
  readonly signal?: AbortSignal | undefined;
  /**
   * Receives each event synchronously: one observer, or several. If one throws or rejects, the run
   * continues, and the first error is `outcome.observerError`.
   */
  readonly onEvent?: Observer | readonly Observer[] | undefined;
}
