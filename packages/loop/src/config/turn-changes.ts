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
}
/**
 * What `beforeTurn` changes for one turn. What is absent stays as the options of the run say. Only
 * `messages` are remembered by a journal, so the other changes should depend on the argument alone.
 */
export interface TurnChanges extends Partial<RequestSettings> {
  /** User messages that join the conversation before the request, and stay in it. */
  readonly messages?: readonly UserMessage[] | undefined;
  readonly adapter?: Adapter | undefined;
  readonly system?: string | undefined;
  /** The tools of this turn, instead of those of the run. */
  readonly tools?: readonly (Tool | NativeTool)[] | undefined;
}
/** Called before each turn. It may add messages and change what is requested. */
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
  readonly usage: Usage;
  /** Set if there is a `limits.price`. */
  readonly cost?: number | undefined;
}
/** Ends the run with the status `stopped` if it returns true. */
export type StopWhen = (end: TurnEnd) => boolean | Promise<boolean>;
