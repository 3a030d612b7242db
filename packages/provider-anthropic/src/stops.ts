import type Anthropic from "@anthropic-ai/sdk";
import type { StopTable } from "@fullstop/core/adapter";

/**
 * Why Claude ends a reply: the SDK's stop reasons, and others that hosts of this protocol send.
 * https://platform.claude.com/docs/en/build-with-claude/handling-stop-reasons
 */
export const stops: StopTable<Anthropic.StopReason> = {
  end_turn: "stop",
  tool_use: "tool-use",
  max_tokens: "length",
  model_context_window_exceeded: "context-window",
  pause_turn: "pause",
  refusal: "refusal",
  /**
   * The caller's own stop sequence can occur anywhere, so the calls before it may be half a plan.
   */
  stop_sequence: { stop: "stop", calls: "never" },
  /** Beta: paused after a compaction block. */
  compaction: "pause",
  /** The content filter of a compatible host. */
  sensitive: "content-filter",
  /** Seen with a tool input that was cut in the middle (anthropic-sdk-python#1317). */
  terminated: "error",
};
