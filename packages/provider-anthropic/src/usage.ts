import type Anthropic from "@anthropic-ai/sdk";
import type { Usage } from "@fullstop/core";

export type NativeUsage = Partial<Anthropic.MessageDeltaUsage>;

/** Counts never shrink within a reply; hosts that repeat a count as 0 or `null` in a later event do not take it back. */
export function mergeUsage(before: NativeUsage, now: NativeUsage | null | undefined): NativeUsage {
  const most = (
    key: "input_tokens" | "cache_read_input_tokens" | "cache_creation_input_tokens",
  ): number | null => {
    const counts = [before[key], now?.[key]].filter((count) => typeof count === "number");
    return counts.length > 0 ? Math.max(...counts) : null;
  };
  return {
    input_tokens: most("input_tokens"),
    cache_read_input_tokens: most("cache_read_input_tokens"),
    cache_creation_input_tokens: most("cache_creation_input_tokens"),
  };
}

/**
 * `input_tokens` leaves cached tokens out; ours counts them.
 * https://platform.claude.com/docs/en/build-with-claude/prompt-caching#tracking-cache-performance
 */
export function readUsage({
  input_tokens: fresh,
  cache_read_input_tokens: read,
  cache_creation_input_tokens: written,
}: NativeUsage): Partial<Usage> {
  return {
    ...(typeof fresh === "number" && { input: fresh + (read ?? 0) + (written ?? 0) }),
    ...(typeof read === "number" && { cacheRead: read }),
    ...(typeof written === "number" && { cacheWrite: written }),
  };
}
