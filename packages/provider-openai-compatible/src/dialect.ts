import type { Adapter } from "@fullstop/core";
import type { CallIdRule, ErrorTable, OutputFormat, StopTable } from "@fullstop/core/adapter";
import type { ChatQuirks } from "@fullstop/provider-openai/protocol";

/** A host of the protocol: how it differs from `custom`. Only known facts are listed. */
export interface Dialect extends ChatQuirks {
  readonly baseURL?: string;
  /**
   * The environment variable that holds the key. Without it, the host accepts requests without a
   * key.
   */
  readonly keyVariable?: string;
  /** Native stop reasons of the host, added to those of the protocol. */
  readonly stops?: StopTable;
  /** Error codes of the host, added to those of the protocol. */
  readonly errors?: ErrorTable;
  readonly callIds?: CallIdRule;
  /**
   * The host mislabels truncated replies: calls then need a usage below the cap, so a cap is always
   * sent.
   */
  readonly mislabelsTruncation?: boolean;
  /**
   * The host reports a call that a stop sequence cut as finished: `params.stop` is then refused.
   * `false` accepts it, for requests without tools.
   */
  readonly mislabelsStopSequences?: boolean;
  readonly maxTokens?: Adapter["maxTokens"];
  /**
   * When the host takes `response_format` with a JSON Schema, for all of its models. Without it, an
   * object is requested as the input of a tool.
   */
  readonly outputFormat?: OutputFormat;
}
/** The hosts that have a name. */
export type DialectName =
  | "azure"
  | "baseten"
  | "cerebras"
  | "cloudflare"
  | "custom"
  | "deepseek"
  | "fireworks"
  | "glm"
  | "groq"
  | "huggingface"
  | "kimi"
  | "litellm"
  | "llamacpp"
  | "lmstudio"
  | "minimax"
  | "mlx"
  | "nim"
  | "ollama"
  | "opencode"
  | "openrouter"
  | "qwen"
  | "sglang"
  | "siliconflow"
  | "snowflake"
  | "tgi"
  | "together"
  | "vercel"
  | "vllm"
  | "xai"
  | "xiaomi";
