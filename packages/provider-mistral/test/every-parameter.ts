import type { MistralOptions } from "@fullstop/provider-mistral";

/** One value for each parameter. A model may refuse some of them, or two together. */
export const options: MistralOptions = {
  headers: { "x-trace": "42" },
  params: {
    temperature: 0.2,
    top_p: 0.9,
    random_seed: 7,
    stop: ["END"],
    parallel_tool_calls: false,
    service_tier: "standard_only",
    prompt_mode: "reasoning",
    prompt_cache_key: "agent-1",
    metadata: { team: "docs" },
  },
};
