import type { StopTable } from "@fullstop/core";

/** The words that https://docs.mistral.ai/api lists. A stream knows all but `model_length`. */
export type MistralStop = "stop" | "length" | "model_length" | "error" | "tool_calls";

/** Why a completion ends. */
export const stops: StopTable<MistralStop> = {
  stop: "stop",
  tool_calls: "tool-use",
  length: "length",
  /** The model's own limit, not the one that was sent. */
  model_length: "context-window",
  error: "error",
};
