import type { Interactions } from "@google/genai";
import { mergeUsage, type NativeUsage } from "../usage.ts";

/**
 * The counts of generateContent, and their names here. Both report the counts of the same service:
 * the input, the answer and the thoughts add up to the total.
 * https://ai.google.dev/gemini-api/docs/streaming
 */
const counts: readonly (readonly [keyof NativeUsage, keyof Interactions.Usage])[] = [
  ["promptTokenCount", "total_input_tokens"],
  ["toolUsePromptTokenCount", "total_tool_use_tokens"],
  ["cachedContentTokenCount", "total_cached_tokens"],
  ["candidatesTokenCount", "total_output_tokens"],
  ["thoughtsTokenCount", "total_thought_tokens"],
];

export const toNativeUsage = (usage: Interactions.Usage): NativeUsage =>
  mergeUsage({}, Object.fromEntries(counts.map(([ours, theirs]) => [ours, usage[theirs]])));
