import type { StopReason } from "@aws-sdk/client-bedrock-runtime";
import type { StopTable } from "@fullstop/core/adapter";

/**
 * Why a model of Bedrock ends a reply: the SDK's stop reasons.
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_MessageStopEvent.html
 */
export const stops: StopTable<StopReason> = {
  end_turn: "stop",
  tool_use: "tool-use",
  max_tokens: "length",
  /**
   * The caller's own stop sequence can occur anywhere, so the calls before it may be half a plan.
   */
  stop_sequence: { stop: "stop", calls: "never" },
  /** A guardrail of the account blocked the request or the reply. */
  guardrail_intervened: "content-filter",
  content_filtered: "content-filter",
  /** The same request may succeed. */
  malformed_model_output: "error",
  malformed_tool_use: "malformed-tool-call",
  model_context_window_exceeded: "context-window",
};
