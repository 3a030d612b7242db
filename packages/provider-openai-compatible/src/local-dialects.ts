import { counted, maxTokens } from "./caps.ts";
import type { Dialect, DialectName } from "./dialect.ts";
import { noReferences } from "./references.ts";

/** A ceiling for servers that need no cap by default. */
const ceilingOnly = { ceiling: maxTokens.ceiling } as const;

type LocalName = Extract<
  DialectName,
  "vllm" | "llamacpp" | "ollama" | "lmstudio" | "sglang" | "tgi" | "mlx"
>;

export const localDialects: Readonly<Record<LocalName, Dialect>> = {
  /**
   * https://docs.vllm.ai: a call that was cut at the cap comes closed, with `tool_calls`
   * (vllm#53269). https://docs.vllm.ai/en/latest/features/structured_outputs: a format keeps the
   * model from calling a tool (vllm#39929).
   */
  vllm: {
    ...counted,
    baseURL: "http://localhost:8000/v1",
    doneEnds: false,
    stops: { repetition: "error" },
    matchedStop: "stop_reason",
    mislabelsTruncation: true,
    maxTokens,
    outputFormat: "without-tools",
  },
  /**
   * https://github.com/ggml-org/llama.cpp/tree/master/tools/server: a schema becomes a grammar for
   * the whole reply.
   */
  llamacpp: {
    ...counted,
    baseURL: "http://localhost:8080/v1",
    errors: { exceed_context_size_error: "context-window" },
    maxTokens: ceilingOnly,
    outputFormat: "without-tools",
  },
  /**
   * `tool_calls` comes with every whole call, also if the cap cut the reply behind it. In one piece it
   * also ends a reply that the server broke off because it repeats itself (ollama#18359): its usage
   * is 0. `load` and `unload` answer a request without a message for the model (oh-my-pi#7465). A
   * failure after the response headers ends the stream without `finish_reason`. No URLs are loaded
   * (ollama#6753). https://docs.ollama.com/capabilities/structured-outputs: a schema becomes a
   * grammar for the whole reply.
   */
  ollama: {
    ...counted,
    baseURL: "http://localhost:11434/v1",
    doneEnds: false,
    stops: {
      end: "stop",
      load: { stop: "error", error: "invalid-request" },
      unload: { stop: "error", error: "invalid-request" },
    },
    mislabelsTruncation: true,
    mislabelsStopSequences: true,
    reference: noReferences,
    maxTokens,
    outputFormat: "without-tools",
  },
  /**
   * The server loads no URLs (lmstudio-bug-tracker#1120).
   * https://lmstudio.ai/docs/developer/openai-compat/structured-output
   */
  lmstudio: {
    ...counted,
    baseURL: "http://localhost:1234/v1",
    doneEnds: false,
    stops: { end: "stop" },
    reference: noReferences,
    maxTokens: ceilingOnly,
    outputFormat: "without-tools",
  },
  /**
   * https://github.com/sgl-project/sglang: `entrypoints/openai/serving_chat.py` reports `tool_calls`
   * only for a reply that stopped by itself, and `abort` for one that the scheduler ended.
   * https://docs.sglang.ai/advanced_features/structured_outputs.html: a schema becomes a grammar for
   * the whole reply.
   */
  sglang: {
    ...counted,
    baseURL: "http://localhost:30000/v1",
    matchedStop: "matched_stop",
    maxTokens: ceilingOnly,
    outputFormat: "without-tools",
  },
  /**
   * https://github.com/huggingface/text-generation-inference: `FinishReason` in `router/src/lib.rs`.
   * A reply with calls ends with `stop`. `response_format` has a form of its own.
   */
  tgi: {
    ...counted,
    baseURL: "http://localhost:3000/v1",
    stops: { eos_token: "stop" },
    maxTokens: ceilingOnly,
  },
  /**
   * https://github.com/ml-explore/mlx-lm: `mlx_lm/server.py` does not read `response_format` and
   * `reasoning_effort`; templates get `chat_template_kwargs`. Without a cap it ends at 512 tokens. A
   * stop sequence that cuts a call leaves `tool_calls`, and sequences are removed from inputs.
   */
  mlx: {
    ...counted,
    baseURL: "http://localhost:8080/v1",
    mislabelsStopSequences: true,
    maxTokens,
    effort: {
      none: { chat_template_kwargs: { enable_thinking: false } },
      low: { chat_template_kwargs: { enable_thinking: true } },
      medium: { chat_template_kwargs: { enable_thinking: true } },
      high: { chat_template_kwargs: { enable_thinking: true } },
    },
  },
};
