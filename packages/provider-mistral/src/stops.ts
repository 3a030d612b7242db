import type { StopTable } from "@fullstop/core/adapter";

/** The finish reasons of https://docs.mistral.ai/api. A stream has all except `model_length`. */
export type MistralStop = "stop" | "length" | "model_length" | "error" | "tool_calls";

/** What each finish reason means. */
export const stops: StopTable<MistralStop> = {
  stop: "stop",
  tool_calls: "tool-use",
  length: "length",
  /** The model's own limit, not the cap of the request. */
  model_length: "context-window",
  error: "error",
};
