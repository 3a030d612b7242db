import type { Adapter, StopTable } from "@fullstop/core";
import type { CallIdRule, ErrorTable } from "@fullstop/core/adapter";
import type { ChatQuirks } from "@fullstop/provider-openai/protocol";

/** A host of the protocol: what it does otherwise than `custom`. What is not known of it, is not here. */
export interface Dialect extends ChatQuirks {
  readonly baseURL?: string;
  /** The environment variable that holds its key; a host without one takes requests without. */
  readonly keyVariable?: string;
  /** Its words beside the protocol's. */
  readonly stops?: StopTable;
  /** Its error codes beside the protocol's. */
  readonly errors?: ErrorTable;
  readonly callIds?: CallIdRule;
  /** It is known to mislabel truncated replies: calls then need a usage below the cap, so a cap is always sent. */
  readonly mislabelsTruncation?: boolean;
  readonly maxTokens?: Adapter["maxTokens"];
}
/** The hosts that are known by name. */
export type DialectName =
  | "azure"
  | "cerebras"
  | "custom"
  | "deepseek"
  | "fireworks"
  | "glm"
  | "groq"
  | "kimi"
  | "litellm"
  | "llamacpp"
  | "lmstudio"
  | "nim"
  | "ollama"
  | "openrouter"
  | "qwen"
  | "siliconflow"
  | "together"
  | "vllm"
  | "xai";

/** A cap that also fits the small windows that people serve, and how far a reply that needs more may go. */
const maxTokens = { default: 4096, ceiling: 32_768 } as const;
/** The same where no cap is sent unless somebody names one. */
const uncappedUnlessAsked = { ceiling: 32_768 } as const;
const counted = { reasoningTokens: "counted" } as const;

/** What each host does otherwise; a row holds nothing else. */
export const dialects: Readonly<Record<DialectName, Dialect>> = {
  /** Any other host; `baseURL` is to be given. Gateways hand words of other protocols through. */
  custom: {
    stops: {
      tool_use: "tool-use",
      tool_call: "tool-use",
      TOOL_CALLS: "tool-use",
      end_turn: "stop",
      eos: "stop",
      max_tokens: "length",
    },
  },
  /** https://docs.vllm.ai: a call that the cap cut comes closed, under the word for calls (vllm#53269). */
  vllm: {
    ...counted,
    baseURL: "http://localhost:8000/v1",
    stops: { abort: "error", error: "error", repetition: "error" },
    mislabelsTruncation: true,
    maxTokens,
  },
  llamacpp: {
    ...counted,
    baseURL: "http://localhost:8080/v1",
    errors: { exceed_context_size_error: "context-window" },
    maxTokens: uncappedUnlessAsked,
  },
  /** `load` and `unload` answer an empty prompt. A failure behind the head ends the stream without a word. */
  ollama: {
    ...counted,
    baseURL: "http://localhost:11434/v1",
    stops: {
      end: "stop",
      load: { stop: "stop", calls: "never" },
      unload: { stop: "stop", calls: "never" },
    },
    maxTokens: uncappedUnlessAsked,
  },
  /** A reply without a word is one that the window cut (vaadin/flow-components#9195). */
  lmstudio: {
    ...counted,
    baseURL: "http://localhost:1234/v1",
    stops: { end: "stop" },
    doneEnds: false,
    maxTokens: uncappedUnlessAsked,
  },
  /**
   * https://openrouter.ai/docs/api/reference/errors-and-debugging
   * It counts tokens itself (https://openrouter.ai/docs/use-cases/usage-accounting), so its usage does not show that the provider has finished.
   */
  openrouter: {
    ...counted,
    doneEnds: false,
    baseURL: "https://openrouter.ai/api/v1",
    keyVariable: "OPENROUTER_API_KEY",
    stops: { error: "error" },
    errors: { provider_overloaded: "overloaded" },
    reasoning: "reasoning_details",
  },
  /** https://console.groq.com/docs/errors: the model wrote a call that the host could not read. */
  groq: {
    ...counted,
    baseURL: "https://api.groq.com/openai/v1",
    keyVariable: "GROQ_API_KEY",
    errors: { tool_use_failed: "malformed-tool-call" },
  },
  /** `completion_tokens` leaves reasoning out (vercel/ai#12425). */
  xai: { baseURL: "https://api.x.ai/v1", keyVariable: "XAI_API_KEY", reasoningTokens: "beside" },
  /** https://api-docs.deepseek.com: with thinking, messages of the assistant want their `reasoning_content` back. */
  deepseek: {
    ...counted,
    baseURL: "https://api.deepseek.com/v1",
    keyVariable: "DEEPSEEK_API_KEY",
    stops: { insufficient_system_resource: { stop: "error", error: "overloaded" } },
    reasoning: "reasoning_content",
  },
  together: {
    ...counted,
    baseURL: "https://api.together.xyz/v1",
    keyVariable: "TOGETHER_API_KEY",
    stops: { eos: "stop" },
  },
  fireworks: {
    ...counted,
    baseURL: "https://api.fireworks.ai/inference/v1",
    keyVariable: "FIREWORKS_API_KEY",
  },
  /** `baseURL` is that of the resource: `https://<resource>.openai.azure.com/openai/v1`. */
  azure: { ...counted, keyVariable: "AZURE_OPENAI_API_KEY", capName: "max_completion_tokens" },
  cerebras: { ...counted, baseURL: "https://api.cerebras.ai/v1", keyVariable: "CEREBRAS_API_KEY" },
  /** Ids as `functions.read:0`, which later calls want to see unchanged (openclaw#70030). */
  kimi: {
    ...counted,
    baseURL: "https://api.moonshot.ai/v1",
    keyVariable: "MOONSHOT_API_KEY",
    callIds: { maxLength: 40, allowed: /^[\w.:-]+$/ },
    reasoning: "reasoning_content",
  },
  /** https://docs.bigmodel.cn: arguments are streamed only where `tool_stream` asks for it. */
  glm: {
    ...counted,
    baseURL: "https://api.z.ai/api/paas/v4",
    keyVariable: "ZAI_API_KEY",
    stops: {
      sensitive: "content-filter",
      network_error: "error",
      model_context_window_exceeded: "context-window",
    },
    errors: { "1261": "context-window" },
    toolStream: { tool_stream: true },
  },
  /** `max_tokens` does not count the chain of thought. */
  qwen: {
    baseURL: "https://dashscope-intl.aliyuncs.com/compatible-mode/v1",
    keyVariable: "DASHSCOPE_API_KEY",
    reasoningTokens: "uncapped",
    effort: {
      none: { enable_thinking: false },
      low: { enable_thinking: true },
      medium: { enable_thinking: true },
      high: { enable_thinking: true },
    },
  },
  /** `max_tokens` does not count the chain of thought. */
  siliconflow: {
    baseURL: "https://api.siliconflow.com/v1",
    keyVariable: "SILICONFLOW_API_KEY",
    reasoningTokens: "uncapped",
  },
  /**
   * Errors, and words that its map does not know, come as `stop` (litellm's core_helpers.py). It estimates a usage that no provider reported
   * (litellm#40260), and raises caps below 16 to 16.
   */
  litellm: {
    ...counted,
    baseURL: "http://localhost:4000/v1",
    keyVariable: "LITELLM_API_KEY",
    mislabelsTruncation: true,
    doneEnds: false,
    maxTokens: { ...maxTokens, floor: 16 },
    toolsNeeded: true,
  },
  /** Some of its models never say why they end (pi#6225). */
  nim: {
    ...counted,
    baseURL: "https://integrate.api.nvidia.com/v1",
    keyVariable: "NVIDIA_API_KEY",
    doneEnds: true,
  },
};
