import type { Usage } from "@fullstop/core";
import type OpenAI from "openai";
import { fieldsOf } from "../../shared/fields.ts";
import type { HostRules } from "../host-rules.ts";

/**
 * `input_tokens` includes cached tokens. `output_tokens` includes reasoning, and so does the cap of
 * OpenAI.
 */
export function readResponsesUsage(
  usage: OpenAI.Responses.ResponseUsage | null | undefined,
  capsReasoning: HostRules["capsReasoning"],
): Partial<Usage> {
  if (!usage) return {};
  const { input_tokens: input, output_tokens: output, input_tokens_details: details } = usage;
  const counts = {
    input,
    output,
    cacheRead: details?.cached_tokens,
    cacheWrite: details?.cache_write_tokens,
  };
  return {
    ...Object.fromEntries(Object.entries(counts).filter(([, count]) => typeof count === "number")),
    ...(capsReasoning === "unknown" && towardUnknownCap(usage)),
  };
}

/**
 * What is known about the cap of a host that may not count reasoning. The steps of its own tools
 * add to the output, and each may use the whole cap.
 */
function towardUnknownCap(usage: OpenAI.Responses.ResponseUsage): Partial<Usage> {
  const reasoning = usage.output_tokens_details?.reasoning_tokens;
  const { num_server_side_tools_used: steps } = fieldsOf(usage);
  if (Number(steps) > 0) return { towardCap: null };
  return typeof reasoning === "number" && reasoning > 0 && reasoning <= usage.output_tokens
    ? { towardCap: null, reasoning }
    : {};
}
