import type { Price } from "./ports.ts";

/** What a run may use, and how long it waits. Durations are in milliseconds. */
export interface Limits {
  /** Replies that join the conversation. Default: 100. */
  readonly turns?: number | undefined;
  /** Calls of the model. If a turn has more calls than are left, none of them runs. */
  readonly toolCalls?: number | undefined;
  /** Output tokens of all requests, also those of sub-agents. Checked after each reply. */
  readonly outputTokens?: number | undefined;
  /** In the unit of `price`, which it requires, also of sub-agents. Checked after each reply. */
  readonly cost?: number | undefined;
  /** The cost of a reply; `outcome.cost` is the sum. Without a number, `outcome()` rejects. */
  readonly price?: Price | undefined;
  /** Time for the whole run. At the deadline, work in progress is aborted through its signal. */
  readonly deadlineMs?: number | undefined;
  /** Time until the first event, before which some models think long. Default: only `idleMs`. */
  readonly firstEventMs?: number | undefined;
  /** Time without an event until a reply counts as interrupted. Default: that of `readTurn`. */
  readonly idleMs?: number | undefined;
  /** Tools of a turn that run at the same time. Default: 8. */
  readonly concurrency?: number | undefined;
  /**
   * Characters of text in one tool result. Default: 262,144. The loop keeps the beginning and the
   * end of a longer output, and tells the model what is missing.
   */
  readonly resultChars?: number | undefined;
}
/** The limits that end a run. The calls of the reply that reaches one do not run. */
export type Limit = "turns" | "toolCalls" | "outputTokens" | "cost" | "deadlineMs";
