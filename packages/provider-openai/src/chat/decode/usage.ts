import type { Usage } from "@fullstop/core";
import type { ReplyQuirks } from "../quirks.ts";
import type { NativeUsage } from "./events.ts";

/** The output tokens of a reply, as reported. */
interface OutputTokens {
  readonly output: number;
  readonly reasoning: number | undefined;
  /** Whether the reply holds reasoning. */
  readonly hasReasoning: boolean;
}

/**
 * Reads the token counts of a reply. For OpenAI, `completion_tokens` and the cap include reasoning.
 * https://developers.openai.com/api/reference/resources/chat
 */
export function readChatUsage(
  native: NativeUsage,
  reasoningTokens: ReplyQuirks["reasoningTokens"],
  hasReasoning: boolean,
): Partial<Usage> {
  const reasoning = count(native.completion_tokens_details?.reasoning_tokens);
  const input = count(native.prompt_tokens);
  const completion = count(native.completion_tokens);
  const output =
    completion === undefined || reasoningTokens !== "beside"
      ? completion
      : completion + (reasoning ?? 0);
  const cacheRead =
    count(native.prompt_tokens_details?.cached_tokens) ?? count(native.prompt_cache_hit_tokens);
  const cacheWrite = count(native.prompt_tokens_details?.cache_write_tokens);
  return {
    ...(input !== undefined && { input }),
    ...(output !== undefined && { output }),
    ...(cacheRead !== undefined && { cacheRead }),
    ...(cacheWrite !== undefined && { cacheWrite }),
    ...(output !== undefined &&
      towardCap[reasoningTokens ?? "unknown"]({ output, reasoning, hasReasoning })),
  };
}

const count = (tokens: unknown): number | undefined =>
  typeof tokens === "number" && tokens >= 0 ? tokens : undefined;

type ReasoningRule = NonNullable<ReplyQuirks["reasoningTokens"]> | "unknown";
/** How much of the output counts toward the cap, if not all of it does. `null`: not known. */
const towardCap: Readonly<Record<ReasoningRule, (tokens: OutputTokens) => Partial<Usage>>> = {
  counted: () => ({}),
  beside: unknownCap,
  uncapped: ({ output, reasoning, hasReasoning }) => {
    if (reasoning !== undefined && reasoning <= output) return { towardCap: output - reasoning };
    return hasReasoning || reasoning !== undefined ? { towardCap: null } : {};
  },
  unknown: unknownCap,
};

function unknownCap({ output, reasoning = 0 }: OutputTokens): Partial<Usage> {
  return reasoning > 0 && reasoning <= output ? { towardCap: null, reasoning } : {};
}
