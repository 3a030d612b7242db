import type Anthropic from "@anthropic-ai/sdk";
import type { Usage } from "@fullstop/core";

export type NativeUsage = Partial<Anthropic.MessageDeltaUsage>;
type InputCount = "input_tokens" | "cache_read_input_tokens" | "cache_creation_input_tokens";

/** Keeps the highest of each count: some hosts repeat a count as 0 or `null` in a later event. */
export function mergeUsage(
  before: NativeUsage,
  added: NativeUsage | null | undefined,
): NativeUsage {
  const highest = (key: InputCount): number | null => {
    const counts = [before[key], added?.[key]].filter((count) => typeof count === "number");
    return counts.length > 0 ? Math.max(...counts) : null;
  };
  return {
    input_tokens: highest("input_tokens"),
    cache_read_input_tokens: highest("cache_read_input_tokens"),
    cache_creation_input_tokens: highest("cache_creation_input_tokens"),
  };
}

/**
 * `input_tokens` excludes cached tokens; `Usage.input` includes them.
 * https://platform.claude.com/docs/en/build-with-claude/prompt-caching#tracking-cache-performance
 */
export function readUsage({
  input_tokens: uncached,
  cache_read_input_tokens: cacheRead,
  cache_creation_input_tokens: cacheWrite,
}: NativeUsage): Partial<Usage> {
  return {
    ...(typeof uncached === "number" && {
      input: uncached + (cacheRead ?? 0) + (cacheWrite ?? 0),
    }),
    ...(typeof cacheRead === "number" && { cacheRead }),
    ...(typeof cacheWrite === "number" && { cacheWrite }),
  };
}
