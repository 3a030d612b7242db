import type { Message, ProviderError, ToolCall, Turn, Usage, WithheldCall } from "@fullstop/core";

/** How a run ended. Every outcome holds the whole history, in which each call has exactly one result. */
export type Outcome = {
  readonly messages: readonly Message[];
  /** The model's answer: the text of its last reply, joined where it was continued. */
  readonly text: string;
  /** One sentence for a person. */
  readonly summary: string;
  readonly turn: Turn;
  readonly turns: number;
  readonly usage: Usage;
} & (
  | { readonly status: "done"; readonly empty?: true }
  | { readonly status: "truncated"; readonly withheld: readonly WithheldCall[] }
  | { readonly status: "refused"; readonly by: "model" | "filter" }
  | { readonly status: "failed"; readonly error: ProviderError }
  | { readonly status: "stuck"; readonly call: ToolCall }
  | { readonly status: "waiting"; readonly calls: readonly ToolCall[] }
  | { readonly status: "limit"; readonly limit: "turns" | "pauses" }
  | { readonly status: "aborted" }
);
