import type { Price } from "./ports.ts";

/** What a run may use, and how long it waits. Durations are in milliseconds. */
export interface Limits {
  /** Replies that join the conversation. Default: 100. */
  readonly turns?: number | undefined;
  /** Calls of the model. If a turn has more calls than are left, none of them runs. */
  readonly toolCalls?: number | undefined;
  /**
   * Output tokens of all requests together, including those of sub-agents. Checked after each reply
   * of either.
   */
  readonly outputTokens?: number | undefined;
  /**
   * In the unit of `price`, which it requires. Requests of sub-agents count, too. Checked after each
   * reply.
   */
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
