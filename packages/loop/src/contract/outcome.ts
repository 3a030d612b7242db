import type { Message, ProviderError, ToolCall, Turn, Usage, WithheldCall } from "@fullstop/core";
import type { Limit } from "./limits.ts";
import type { ReviewedCall } from "./ports.ts";

/** The status of an outcome, and the fields that belong to it. */
export type Ending<Output = unknown> =
  /**
   * `empty`: the model said nothing. `output`: the answer that `output` asked for, or the input of
   * a tool with `ends`. `leakedCall`: the text ends in a call that the model wrote as text, after
   * each note, too. It did not run; or the text only shows it.
   */
  | {
      readonly status: "done";
      readonly empty?: true;
      readonly leakedCall?: NonNullable<Turn["leakedCall"]>;
      readonly output: Output;
    }
  /** `stopWhen` returned true. */
  | { readonly status: "stopped" }
  /** The answers were finished, but none was an object that `output` accepts. */
  | { readonly status: "invalid-output"; readonly issues: readonly string[] }
  /**
   * The output cap cut the last reply, or a stop sequence cut a call of it. `withheld` is what
   * arrived of its calls; none of them ran. `cause`: the cap was reached before a text or a part of
   * a call came. The model has probably used it for thinking.
   */
  | {
      readonly status: "truncated";
      readonly withheld: readonly WithheldCall[];
      readonly cause?: "thinking";
    }
  /** The model declined, or a filter cut or blocked the reply. No fallback is left. */
  | { readonly status: "refused"; readonly by: "model" | "filter" }
  /** The provider or the connection failed, or the reply cannot be used. `error` says how. */
  | { readonly status: "failed"; readonly error: ProviderError }
  /**
   * These calls need a decision, a result or a settlement. `messages` ends before the turn, and no
   * call of the turn has run. The option `waiting` resumes the run. With a journal, the calls may
   * also be those of sub-agents, or calls that are in doubt: the other calls of the turn have run
   * then, and the run continues in its journal, under the same `runId`.
   */
  | { readonly status: "waiting"; readonly calls: readonly ReviewedCall[] }
  /**
   * The model repeated this call without progress, or called a tool that it was not offered. `text`
   * is its last answer.
   */
  | { readonly status: "stuck"; readonly call: ToolCall }
  /** One of `limits` is reached, or the provider paused too often in a row. */
  | { readonly status: "limit"; readonly limit: Limit | "pauses" }
  /** `signal` aborted, or an iteration was left. */
  | { readonly status: "aborted" };

/** How a run ended. */
export type Outcome<Output = unknown> = {
  /** How the run ended. The other fields depend on it. */
  readonly status: Ending["status"];
  /**
   * The whole conversation. Each call has exactly one result, so the next run can start from it.
   */
  readonly messages: readonly Message[];
  /**
   * The text of the last reply, joined with the texts that it continued. A call that the model
   * wrote as text is part of it only if the run is done.
   */
  readonly text: string;
  /** How the run ended, as a sentence for a person. */
  readonly summary: string;
  /** The last reply. */
  readonly turn: Turn;
  /** Turns that began, including the last one. Several requests for one turn count once. */
  readonly turns: number;
  /**
   * The sum of all requests, including those whose replies were discarded, and those of sub-agents.
   */
  readonly usage: Usage;
  /** The sum of `limits.price` over all requests. */
  readonly cost?: number;
  /** The first error that `onEvent` threw. */
  readonly observerError?: unknown;
} & Ending<Output>;

/**
 * `text()` and `output()` reject with it if the run has no complete answer. It prints the summary;
 * `outcome` has everything.
 */
export class UnfinishedRun extends Error {
  override readonly name = "UnfinishedRun";
  /** How the run ended. */
  readonly status: Outcome["status"];
  readonly #outcome: Outcome;

  constructor(outcome: Outcome) {
    super(outcome.summary);
    this.status = outcome.status;
    this.#outcome = outcome;
  }

  /** How the run ended, with its conversation. Not printed. */
  get outcome(): Outcome {
    return this.#outcome;
  }
}
