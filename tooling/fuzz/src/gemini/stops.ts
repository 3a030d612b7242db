import type { StopMeaning } from "../reading.ts";

/** https://ai.google.dev/api/generate-content#FinishReason */
export const geminiMeanings: Readonly<Record<string, StopMeaning>> = {
  STOP: "stop",
  MAX_TOKENS: "length",
  CONTINUATION: "pause",
  SAFETY: "content-filter",
  MALFORMED_FUNCTION_CALL: "malformed-tool-call",
  OTHER: "error",
};
export const geminiStops: readonly string[] = [...Object.keys(geminiMeanings), "SURPRISE"];
export const geminiMeaning = (stop: string): StopMeaning => geminiMeanings[stop] ?? "unknown";
