import type { DialectName } from "./dialect.ts";

/** How it is known whether a host leaves the `finish_reason` out of finished replies. */
export interface Ending {
  /** What was seen, in one or two sentences. */
  readonly seen: string;
  /** Addresses, or issues and pull requests on GitHub. Empty: no public report was found. */
  readonly sources: readonly string[];
}

const notSeen: Ending = {
  seen: "No public report of a finished reply without it was found.",
  sources: [],
};

/**
 * Why each dialect has its `doneEnds`. `true` needs a public report of a finished reply that came
 * from the host itself, not through a gateway: some gateways end a stream that was cut with a usage
 * report of their own and `[DONE]`, so it looks the same. Programs need not load this table.
 */
export const endings: Readonly<Record<DialectName, Ending>> = {
  azure: {
    seen: "It comes on one chunk, which is not always the last one. No report without it was found.",
    sources: ["Azure/azure-sdk-for-net#45136"],
  },
  baseten: notSeen,
  cerebras: notSeen,
  cloudflare: {
    seen: "It comes on several chunks of one reply. No report without it was found.",
    sources: ["decolua/9router#1645"],
  },
  custom: {
    seen: "Hosts differ. The gateway new-api ends every stream, also one that was cut, with a usage report of its own and `[DONE]` (`relay/channel/openai/relay-openai.go`). Evolink and Nebius left it out of finished streams.",
    sources: [
      "https://github.com/QuantumNous/new-api",
      "openclaw/openclaw#98575",
      "openai/openai-node#1292",
    ],
  },
  deepseek: {
    seen: "A reply came without it when a proxy had cut it. No report of a finished one was found.",
    sources: ["tetsuo-ai/agenc-core#2492"],
  },
  fireworks: notSeen,
  glm: notSeen,
  groq: notSeen,
  huggingface: notSeen,
  kimi: notSeen,
  litellm: {
    seen: "Reports a stream of its provider that ended without one as `stop`, with an estimated usage.",
    sources: ["BerriAI/litellm#40260"],
  },
  llamacpp: {
    seen: "The order of its chunks is content, `finish_reason`, usage, `[DONE]`.",
    sources: ["strands-agents/harness-sdk#3955"],
  },
  lmstudio: {
    seen: "Leaves it out of a reply that was cut at the context window.",
    sources: ["vaadin/flow-components#9195"],
  },
  minimax: notSeen,
  mlx: {
    seen: "`mlx_lm/server.py` sends it. Another server, vllm-mlx 0.4.0, left `stop` out.",
    sources: ["https://github.com/ml-explore/mlx-lm", "waybarrios/vllm-mlx#628"],
  },
  nim: {
    seen: "**Seen**: streams of GLM-5.1 with whole calls had `finish_reason: null` in every chunk.",
    sources: ["earendil-works/pi#6225"],
  },
  ollama: {
    seen: "Leaves it out of a reply that failed behind the response headers (`middleware/openai.go`).",
    sources: ["https://github.com/ollama/ollama"],
  },
  opencode: {
    seen: "Streams of Muse models had no `finish_reason`, and some also no `[DONE]`.",
    sources: ["anomalyco/opencode#43379"],
  },
  openrouter: {
    seen: "`null` came with replies whose call was lost. It counts tokens itself.",
    sources: [
      "OpenRouterTeam/ai-sdk-provider#166",
      "https://openrouter.ai/docs/use-cases/usage-accounting",
    ],
  },
  qwen: notSeen,
  sglang: {
    seen: "Replies have it. No public report of a finished reply without it was found.",
    sources: ["sgl-project/sglang#2877"],
  },
  siliconflow: notSeen,
  snowflake: notSeen,
  tgi: {
    seen: "`FinishReason` in `router/src/lib.rs`. No report of a finished reply without it was found.",
    sources: ["https://github.com/huggingface/text-generation-inference"],
  },
  together: notSeen,
  vercel: notSeen,
  vllm: {
    seen: "Its last chunk has it, but cut calls are mislabelled, so the word is required.",
    sources: ["vllm-project/vllm#19662", "vllm-project/vllm#53269"],
  },
  xai: {
    seen: "**Seen**: replies of Grok 3 and 4 with calls had none. It counts tokens in every chunk.",
    sources: ["evalstate/fast-agent#276"],
  },
  xiaomi: notSeen,
};
