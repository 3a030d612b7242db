import type { Usage } from "@fullstop/core";
import type { NativeUsage } from "./events.ts";
import type { ReplyQuirks } from "./quirks.ts";

/** https://developers.openai.com/api/reference/resources/chat: `completion_tokens` counts reasoning, and so does the cap. */
export function readUsage(native: NativeUsage, counts: ReplyQuirks["reasoningTokens"], reasoned: boolean): Partial<Usage> {
  const reasoning = native.completion_tokens_details?.reasoning_tokens;
  const input = count(native.prompt_tokens);
  const written = count(native.completion_tokens);
  const output = written === undefined || counts !== "beside" ? written : written + (count(reasoning) ?? 0);
  const cacheRead = count(native.prompt_tokens_details?.cached_tokens) ?? count(native.prompt_cache_hit_tokens);
  const cacheWrite = count(native.prompt_tokens_details?.cache_write_tokens);
  return {
    ...(input !== undefined && { input }),
    ...(output !== undefined && { output }),
    ...(cacheRead !== undefined && { cacheRead }),
    ...(cacheWrite !== undefined && { cacheWrite }),
    ...(counts === "uncapped" && output !== undefined && uncapped(output, count(reasoning), reasoned)),
  };
}

const count = (tokens: unknown): number | undefined => (typeof tokens === "number" && tokens >= 0 ? tokens : undefined);

/** The part of the output that the cap counts; unknown where the model reasoned and nobody says how much. */
function uncapped(output: number, reasoning: number | undefined, reasoned: boolean): Pick<Usage, "towardCap"> {
  if (reasoning !== undefined && reasoning <= output) return { towardCap: output - reasoning };
  return reasoned || reasoning !== undefined ? { towardCap: null } : {};
}
