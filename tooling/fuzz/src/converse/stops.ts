import type { StopMeaning } from "../reading.ts";

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_MessageStopEvent.html */
export const converseMeanings: Readonly<Record<string, StopMeaning>> = {
  end_turn: "stop",
  tool_use: "tool-use",
  max_tokens: "length",
  stop_sequence: "sequence",
  guardrail_intervened: "content-filter",
  content_filtered: "content-filter",
  malformed_model_output: "error",
  malformed_tool_use: "malformed-tool-call",
  model_context_window_exceeded: "context-window",
};
export const converseStops: readonly string[] = [...Object.keys(converseMeanings), "surprise"];
export const converseMeaning = (stop: string): StopMeaning => converseMeanings[stop] ?? "unknown";
