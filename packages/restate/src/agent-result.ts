import { parsePlainJson } from "@fullstop/core/adapter";
import type { Outcome } from "@fullstop/loop";
import { TerminalError } from "@restatedev/restate-sdk";

/**
 * How a run ended: `outcome` as JSON, without the conversation (`messages`, `turn`). A run that
 * waits is not finished, and a run that was aborted is run again or was cancelled.
 */
export type AgentResult<Output = unknown> = WithoutConversation<
  Exclude<Outcome<Output>, { readonly status: "waiting" | "aborted" }>
>;
type WithoutConversation<Ended> = Ended extends unknown
  ? Omit<Ended, "messages" | "turn" | "observerError">
  : never;

export function toResult<Output>(
  outcome: Exclude<Outcome<Output>, { readonly status: "waiting" | "aborted" }>,
): AgentResult<Output> {
  const { messages: _messages, turn: _turn, observerError: _error, ...result } = outcome;
  try {
    return parsePlainJson(JSON.stringify(result)) as AgentResult<Output>;
  } catch (cause) {
    throw new TerminalError(
      `The run ended as "${outcome.status}", but JSON cannot represent its outcome. Change what \`output\` makes of the answer.`,
      { errorCode: 500, metadata: { cause: String(cause) } },
    );
  }
}
