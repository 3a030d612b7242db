import type { OpenAICompatibleOptions } from "@fullstop/provider-openai-compatible";

/** One value for each parameter. Each host takes a part of them. */
export const options: OpenAICompatibleOptions = {
  headers: { "x-title": "my-agent" },
  params: {
    temperature: 0.2,
    top_p: 0.9,
    seed: 7,
    stop: ["END"],
    parallel_tool_calls: false,
    service_tier: "auto",
    reasoning_effort: "low",
    prompt_cache_key: "agent-1",
    metadata: { team: "docs" },
    user: "user-42",
  },
};
