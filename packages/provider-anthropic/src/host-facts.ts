import type { AnthropicDialectName } from "./dialects.ts";

/** What is known about a host of Messages. */
export interface HostFacts {
  /** What differs, in a few sentences. */
  readonly seen: string;
  /** Pages, or issues and pull requests on GitHub. */
  readonly sources: readonly string[];
}

/** The facts about each host, with their sources. Programs do not load this table. */
export const hostFacts: Readonly<Record<AnthropicDialectName, HostFacts>> = {
  deepseek: {
    seen: "With thinking, a request without the earlier thinking is refused. Its signature is the id of the message, or is missing. `top_k`, `container`, `mcp_servers` and `service_tier` are ignored, and a required call is only offered.",
    sources: [
      "https://api-docs.deepseek.com/guides/anthropic_api",
      "NousResearch/hermes-agent#21048",
      "QuantumNous/new-api#4763",
    ],
  },
  glm: {
    seen: "Sends thinking without a signature, and takes it back. Keys of the coding plan are valid only here, and not over Chat.",
    sources: [
      "https://docs.z.ai/devpack/tool/claude",
      "can1357/oh-my-pi#4193",
      "andrewyng/openworker#66",
      "Yeachan-Heo/gajae-code#1016",
    ],
  },
  kimi: {
    seen: "Sends `message_delta` and `message_stop`. Thinking without a signature is taken back. `temperature` is multiplied by 0.6.",
    sources: ["MoonshotAI/Kimi-K2#129", "anomalyco/opencode#44713"],
  },
  litellm: {
    seen: "Reports `tool_use` for calls that the cap cut, so a usage below the cap is required. A cap below 16 is raised to 16.",
    sources: ["https://docs.litellm.ai/docs/anthropic_completion", "BerriAI/litellm#40260"],
  },
  minimax: {
    seen: "Signs its thinking, and takes it back unchanged. Without it, the model stops to think after its first call. `stop_sequences`, `top_k`, `mcp_servers` and `service_tier` are ignored.",
    sources: [
      "https://platform.minimax.io/docs/api-reference/text-anthropic-api",
      "NousResearch/hermes-agent#85251",
    ],
  },
  ollama: {
    seen: "Reports `tool_use` if there is a whole call, also if the cap cut a later one, so a usage below the cap is required. Signs no thinking. Images only as bytes; documents are dropped. As a stream, version 0.17.4 starts a block twice for a call behind thinking: set `stream: false` for models that think.",
    sources: ["https://github.com/ollama/ollama/blob/main/anthropic/anthropic.go"],
  },
  openrouter: {
    seen: "`error_type` gives the kind of an error inside a reply, because many share a type.",
    sources: ["https://openrouter.ai/docs/api/api-reference/anthropic-messages"],
  },
  vercel: {
    seen: "For models of OpenAI, streams of August 2026 had neither `message_delta` nor `message_stop`, so they are `interrupted`; streams of xAI's had both. `message_start` has a usage of 0, and `message_delta` the real one. With `stream: false` a cap above 21,333 is refused.",
    sources: [
      "https://vercel.com/docs/ai-gateway/sdks-and-apis/anthropic-messages-api",
      "Chia1104/chia1104.dev#3016",
      "vercel/ai#17326",
      "vercel/ai#20649",
    ],
  },
  vllm: {
    seen: "Reports `tool_use` for calls that the cap cut, so a usage below the cap is required. Any other end than `stop`, `length` and `tool_calls` comes as a missing stop reason. It does not name the stop sequence that ended a reply. Documents are dropped.",
    sources: [
      "https://github.com/vllm-project/vllm/blob/main/vllm/entrypoints/anthropic/serving.py",
      "vllm-project/vllm#47963",
      "vllm-project/vllm#55324",
    ],
  },
};
