import type { OpenAIChatOptions, OpenAIOptions } from "@fullstop/provider-openai";

/** One value for each parameter. A model may refuse some of them, or two together. */
export const responses: OpenAIOptions = {
  headers: { "x-client-request-id": "42" },
  params: {
    temperature: 0.2,
    top_p: 0.9,
    parallel_tool_calls: false,
    service_tier: "flex",
    reasoning: { effort: "low", summary: "auto" },
    prompt_cache_key: "agent-1",
    prompt_cache_retention: "24h",
    prompt_cache_options: { mode: "implicit" },
    metadata: { team: "docs" },
    safety_identifier: "user-42",
  },
};
export const chat: OpenAIChatOptions = {
  headers: { "x-client-request-id": "42" },
  params: {
    temperature: 0.2,
    top_p: 0.9,
    seed: 7,
    stop: ["END"],
    parallel_tool_calls: false,
    service_tier: "flex",
    reasoning_effort: "low",
    prompt_cache_key: "agent-1",
    prompt_cache_retention: "24h",
    metadata: { team: "docs" },
    safety_identifier: "user-42",
  },
};
