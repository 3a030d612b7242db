import type { CopilotOptions } from "@fullstop/provider-copilot";

/** One value for each parameter of each protocol. Copilot may refuse or ignore some of them. */
export const options: Pick<CopilotOptions, "headers" | "params"> = {
  headers: { "editor-version": "my-editor/1.0" },
  params: {
    chat: {
      temperature: 0.2,
      top_p: 0.9,
      seed: 7,
      stop: ["END"],
      parallel_tool_calls: false,
      service_tier: "auto",
      reasoning_effort: "low",
      prompt_cache_key: "agent-1",
      metadata: { team: "docs" },
    },
    responses: {
      temperature: 0.2,
      top_p: 0.9,
      parallel_tool_calls: false,
      service_tier: "auto",
      reasoning: { effort: "low" },
      prompt_cache_key: "agent-1",
      metadata: { team: "docs" },
    },
    messages: {
      temperature: 0.2,
      top_p: 0.9,
      stop_sequences: ["END"],
      tool_choice: { type: "auto", disable_parallel_tool_use: true },
      service_tier: "auto",
      thinking: { type: "enabled", budget_tokens: 2048 },
      cache_control: { type: "ephemeral" },
      metadata: { user_id: "user-42" },
    },
  },
};
