import type { AnthropicOptions } from "@fullstop/provider-anthropic";

/** One value for each parameter. A model may refuse some of them, or two together. */
export const options: AnthropicOptions = {
  headers: { "anthropic-beta": "context-1m-2025-08-07" },
  params: {
    temperature: 0.2,
    top_p: 0.9,
    top_k: 40,
    stop_sequences: ["END"],
    tool_choice: { type: "auto", disable_parallel_tool_use: true },
    service_tier: "standard_only",
    thinking: { type: "enabled", budget_tokens: 2048 },
    output_config: { effort: "low" },
    cache_control: { type: "ephemeral", ttl: "1h" },
    metadata: { user_id: "user-42" },
  },
};
