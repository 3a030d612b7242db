import { counted, maxTokens } from "./caps.ts";
import type { Dialect, DialectName } from "./dialect.ts";
import { localDialects } from "./local-dialects.ts";
import { kimiReferences, noReferences } from "./references.ts";
import { routers } from "./routers.ts";

/**
 * How each host differs. A row holds nothing else. `endings` says why it has its `doneEnds`, which is
 * `"body"` by default.
 */
export const dialects: Readonly<Record<DialectName, Dialect>> = {
  /**
   * Any other host; pass its `baseURL`. Gateways forward the words of other protocols. Those of a
   * reply that is not finished count on every host; those of a finished one only here, because a
   * named host says in its pages how it ends a reply.
   */
  custom: {
    stops: {
      tool_use: "tool-use",
      tool_call: "tool-use",
      TOOL_CALLS: "tool-use",
      /** Cohere's (BerriAI/litellm#28223, #30947: `COMPLETE` also ends a reply with calls). */
      TOOL_CALL: "tool-use",
      COMPLETE: "stop",
      /** Gemini's, also with calls (higress-group/higress#2408). */
      STOP: "stop",
      /** AI SDK's (8monkey-ai/hebo-platform#90). */
      "tool-calls": "tool-use",
      /** https://github.com/earendil-works/pi, `packages/ai/src/types.ts`. */
      toolUse: "tool-use",
      end_turn: "stop",
      eos: "stop",
      /** Gemini names its own reason behind a colon (hermes-agent#83882). */
      "function_call_filter: MALFORMED_FUNCTION_CALL": "malformed-tool-call",
      "content_filter: PROHIBITED_CONTENT": "content-filter",
      "content_filter: RECITATION": "content-filter",
      "content_filter: SAFETY": "content-filter",
    },
  },
  ...localDialects,
  /**
   * https://openrouter.ai/docs/api/reference/errors-and-debugging OpenRouter passes the cap on to
   * hosts whose cap excludes reasoning (`xai`, `qwen`). Only some models take a schema: https://openrouter.ai/docs/features/structured-outputs
   */
  openrouter: {
    baseURL: "https://openrouter.ai/api/v1",
    keyVariable: "OPENROUTER_API_KEY",
    doneEnds: false,
    reasoning: "reasoning_details",
  },
  /**
   * https://console.groq.com/docs/errors: the host could not parse the call of the model.
   * https://console.groq.com/docs/structured-outputs: a schema excludes streaming and tools.
   */
  groq: {
    ...counted,
    baseURL: "https://api.groq.com/openai/v1",
    keyVariable: "GROQ_API_KEY",
    errors: { tool_use_failed: "malformed-tool-call" },
  },
  /**
   * `completion_tokens` excludes reasoning (vercel/ai#12425). The cap of a reply included it
   * (evalstate/fast-agent#276), and that of a later model did not (vercel/ai#17936).
   * https://docs.x.ai/docs/guides/structured-outputs: beside tools only with later models.
   */
  xai: {
    baseURL: "https://api.x.ai/v1",
    keyVariable: "XAI_API_KEY",
    doneEnds: true,
    reasoningTokens: "beside",
    outputFormat: "without-tools",
  },
  /**
   * https://api-docs.deepseek.com: with thinking, assistant messages of the history must have their
   * `reasoning_content`. Its JSON mode takes no schema.
   */
  deepseek: {
    ...counted,
    baseURL: "https://api.deepseek.com/v1",
    keyVariable: "DEEPSEEK_API_KEY",
    reasoning: "reasoning_content",
  },
  together: {
    ...counted,
    baseURL: "https://api.together.xyz/v1",
    keyVariable: "TOGETHER_API_KEY",
    stops: { eos: "stop" },
  },
  /** https://docs.fireworks.ai/structured-responses/structured-response-formatting */
  fireworks: {
    ...counted,
    baseURL: "https://api.fireworks.ai/inference/v1",
    keyVariable: "FIREWORKS_API_KEY",
    outputFormat: "without-tools",
  },
  /**
   * `baseURL` is the URL of the resource: `https://<resource>.openai.azure.com/openai/v1`.
   * https://learn.microsoft.com/azure/ai-foundry/openai/how-to/structured-outputs: GPT-4o and later.
   */
  azure: {
    ...counted,
    keyVariable: "AZURE_OPENAI_API_KEY",
    capName: "max_completion_tokens",
    outputFormat: "always",
  },
  /**
   * https://inference-docs.cerebras.ai/capabilities/structured-outputs. Images only as bytes:
   * https://inference-docs.cerebras.ai/capabilities/image-inputs
   */
  cerebras: {
    ...counted,
    baseURL: "https://api.cerebras.ai/v1",
    keyVariable: "CEREBRAS_API_KEY",
    reference: noReferences,
    outputFormat: "without-tools",
  },
  /** Ids such as `functions.read:0` must stay unchanged in later requests (openclaw#70030). */
  kimi: {
    ...counted,
    baseURL: "https://api.moonshot.ai/v1",
    keyVariable: "MOONSHOT_API_KEY",
    callIds: { maxLength: 40, allowed: /^[\w.:-]+$/ },
    reference: kimiReferences,
    reasoning: "reasoning_content",
  },
  /**
   * https://docs.bigmodel.cn: arguments are streamed only with `tool_stream`. An empty account gets
   * the status 429, too: https://docs.z.ai/api-reference/api-code
   */
  glm: {
    ...counted,
    baseURL: "https://api.z.ai/api/paas/v4",
    keyVariable: "ZAI_API_KEY",
    errors: { "1113": "billing", "1261": "context-window", "1301": "filtered" },
    toolStream: { tool_stream: true },
  },
  /** `max_tokens` excludes reasoning. */
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
  /** `max_tokens` excludes reasoning. */
  siliconflow: {
    baseURL: "https://api.siliconflow.com/v1",
    keyVariable: "SILICONFLOW_API_KEY",
    reasoningTokens: "uncapped",
  },
  /**
   * LiteLLM reports errors, and reasons that it does not know, as `stop` (its core_helpers.py). It
   * estimates the usage if the provider reports none (litellm#40260), and raises a cap below 16 to
   * 16.
   */
  litellm: {
    ...counted,
    baseURL: "http://localhost:4000/v1",
    keyVariable: "LITELLM_API_KEY",
    doneEnds: false,
    mislabelsTruncation: true,
    maxTokens: { ...maxTokens, floor: 16 },
    toolsNeeded: true,
  },
  nim: {
    ...counted,
    baseURL: "https://integrate.api.nvidia.com/v1",
    keyVariable: "NVIDIA_API_KEY",
    doneEnds: true,
  },
  ...routers,
};
