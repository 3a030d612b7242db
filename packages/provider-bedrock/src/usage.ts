import type { TokenUsage } from "@aws-sdk/client-bedrock-runtime";
import type { Usage } from "@fullstop/core";

/**
 * `inputTokens` excludes tokens that were read from the cache or written to it; `Usage.input`
 * includes them. `outputTokens` includes reasoning.
 * https://docs.aws.amazon.com/bedrock/latest/userguide/prompt-caching.html
 */
export function readUsage({
  inputTokens: uncached,
  outputTokens: output,
  cacheReadInputTokens: cacheRead,
  cacheWriteInputTokens: cacheWrite,
}: Partial<TokenUsage>): Partial<Usage> {
  return {
    ...(typeof uncached === "number" && {
      input: uncached + (cacheRead ?? 0) + (cacheWrite ?? 0),
    }),
    ...(typeof output === "number" && { output }),
    ...(typeof cacheRead === "number" && { cacheRead }),
    ...(typeof cacheWrite === "number" && { cacheWrite }),
  };
}
