import type { Meaning } from "../reading.ts";

/** https://ai.google.dev/api/generate-content#FinishReason */
export const meanings: Readonly<Record<string, Meaning>> = {
  STOP: "stop",
  MAX_TOKENS: "length",
  CONTINUATION: "pause",
  SAFETY: "content-filter",
  MALFORMED_FUNCTION_CALL: "malformed-tool-call",
  OTHER: "error",
  FINISH_REASON_UNSPECIFIED: "unknown",
};
export const words: readonly string[] = [...Object.keys(meanings), "SURPRISE"];
export const meaningOf = (word: string): Meaning => meanings[word] ?? "unknown";
