import type { Usage } from "@fullstop/core";
import type { ReplyQuirks } from "../quirks.ts";
import type { NativeUsage } from "./events.ts";

type Counts = ReplyQuirks["reasoningTokens"];
/** Tokens of a reply, as far as they are reported. */
interface Counted {
  readonly output: number;
  readonly reasoning: number | undefined;
  /** The model thought, whatever is reported of it. */
  readonly reasoned: boolean;
}

/** https://developers.openai.com/api/reference/resources/chat: `completion_tokens` counts reasoning, and so does the cap. */
export function readUsage(native: NativeUsage, counts: Counts, reasoned: boolean): Partial<Usage> {
  const reasoning = count(native.completion_tokens_details?.reasoning_tokens);
  const input = count(native.prompt_tokens);
  const written = count(native.completion_tokens);
  const output =
    written === undefined || counts !== "beside" ? written : written + (reasoning ?? 0);
  const cacheRead =
    count(native.prompt_tokens_details?.cached_tokens) ?? count(native.prompt_cache_hit_tokens);
  const cacheWrite = count(native.prompt_tokens_details?.cache_write_tokens);
  return {
    ...(input !== undefined && { input }),
    ...(output !== undefined && { output }),
    ...(cacheRead !== undefined && { cacheRead }),
    ...(cacheWrite !== undefined && { cacheWrite }),
    ...(output !== undefined && cappedPart[counts ?? "unknown"]({ output, reasoning, reasoned })),
  };
}

const count = (tokens: unknown): number | undefined =>
  typeof tokens === "number" && tokens >= 0 ? tokens : undefined;

/** The part of the output that the cap counts, where that is not all of it. */
const cappedPart: Readonly<
  Record<NonNullable<Counts> | "unknown", (counted: Counted) => Partial<Usage>>
> = {
  counted: () => ({}),
  beside: () => ({}),
  uncapped: ({ output, reasoning, reasoned }) => {
    if (reasoning !== undefined && reasoning <= output) return { towardCap: output - reasoning };
    return reasoned || reasoning !== undefined ? { towardCap: null } : {};
  },
  unknown: ({ output, reasoning = 0 }) =>
    reasoning > 0 && reasoning <= output ? { towardCap: null, reasoning } : {},
};
