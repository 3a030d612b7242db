import type {
  Adapter,
  Message,
  NativeTool,
  Turn,
  TurnRequest,
  Usage,
  UserMessage,
} from "@fullstop/core";
import type { Tool } from "./tool.ts";

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
