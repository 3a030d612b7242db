import type { Usage } from "@fullstop/core";
import type { GenerateContentResponseUsageMetadata } from "@google/genai";

export type NativeUsage = Partial<GenerateContentResponseUsageMetadata>;

/** Each chunk repeats its counts; the last value of each count is the total. */
export const mergeUsage = (before: NativeUsage, added: NativeUsage): NativeUsage => ({
  ...before,
  ...Object.fromEntries(Object.entries(added).filter(([, count]) => typeof count === "number")),
});

/**
 * Thoughts and the answer have separate counts; both count against `maxOutputTokens`
 * (googleapis/python-genai#2062). https://ai.google.dev/api/generate-content#UsageMetadata
 */
export function readUsage(usage: NativeUsage): Partial<Usage> {
  const {
    promptTokenCount: prompt,
    toolUsePromptTokenCount: results = 0,
    cachedContentTokenCount: cached,
  } = usage;
  const { candidatesTokenCount: answer, thoughtsTokenCount: thoughts } = usage;
  return {
    ...(prompt !== undefined && { input: prompt + results }),
    ...((answer !== undefined || thoughts !== undefined) && {
      output: (answer ?? 0) + (thoughts ?? 0),
    }),
    ...(cached !== undefined && { cacheRead: cached }),
  };
}
