import type Anthropic from "@anthropic-ai/sdk";
import type { StopTable } from "@fullstop/core";

/**
 * Why Claude ends a reply. The SDK's words, and those outside its type that hosts of this protocol send.
 * https://platform.claude.com/docs/en/build-with-claude/handling-stop-reasons
 */
export const stops: StopTable<Anthropic.StopReason> = {
  end_turn: "stop",
  tool_use: "tool-use",
  max_tokens: "length",
  model_context_window_exceeded: "context-window",
  pause_turn: "pause",
  refusal: "refusal",
  /** A sequence of the caller's, met in the middle of anything: what came before it may be half a plan. */
  stop_sequence: { stop: "stop", calls: "never" },
  /** Beta: paused behind a compaction block. */
  compaction: "pause",
  /** Compatible hosts, for a filter of theirs. */
  sensitive: "content-filter",
  /** Seen with a tool input cut in the middle (anthropic-sdk-python#1317). */
  terminated: "error",
};
