import type { Adapter } from "@fullstop/core";
import { nearest, type StopTable } from "@fullstop/core/adapter";

/** How a host of this protocol differs from Anthropic's API in its replies. */
export interface HostReplies {
  /** The host's own native stop reasons, added to the vendor's. */
  readonly stops?: StopTable | undefined;
  /**
   * `"optional"` if the host never sends `message_stop`, or sends it before its `message_delta`:
   * this `message_delta` then ends a reply.
   */
  readonly messageStop?: "required" | "optional" | undefined;
  /**
   * `"loose"` if the host skips indices of content blocks, or ends blocks that it never started.
   * A lost block is then not noticed.
   */
  readonly blocks?: "strict" | "loose" | undefined;
  /**
   * `true` if the host reports replies as finished although the output cap cut them.
   * A call then runs only if the usage is below the cap.
   */
  readonly mislabelsTruncation?: boolean | undefined;
  /**
   * `true` if the host sends thinking without a signature and takes it back so. By default such
   * thinking is not sent back, because Anthropic refuses it.
   */
  readonly unsignedThinking?: boolean | undefined;
}

/** A host of Messages that has a name. */
export interface AnthropicDialect extends HostReplies {
  /** What people call the host. */
  readonly name: string;
  readonly baseURL: string;
  /**
   * The environment variable that holds the key, which goes in the header `authorization`. Without
   * it, the host accepts requests without a key.
   */
  readonly keyVariable?: string;
  readonly maxTokens?: Adapter["maxTokens"];
  /**
   * The host reports a call that a stop sequence cut as finished, and does not name the sequence:
   * `params.stop_sequences` is refused.
   */
  readonly mislabelsStopSequences?: true;
  /** The host loads no URLs and knows no file ids. */
  readonly bytesOnly?: true;
  /** The models whose streams the host always ends, and where to go if one of another never ends. */
  readonly serves?: { readonly models: RegExp; readonly otherwise: string };
}

/** A row of the table, with its name. */
export interface NamedAnthropicDialect extends AnthropicDialect {
  readonly provider: AnthropicDialectName;
}

/** The hosts that have a name. `openaiCompatible` has the same names for their Chat. */
export type AnthropicDialectName =
  | "deepseek"
  | "glm"
  | "kimi"
  | "litellm"
  | "minimax"
  | "ollama"
  | "openrouter"
  | "vercel"
  | "vllm";

/** Caps that also fit the small context windows of local servers. */
const maxTokens = { default: 4096, ceiling: 32_768 } as const;
/** Written out: a program without the table would have to read `maxTokens` for a spread of it. */
const raisedMaxTokens = { default: 4096, ceiling: 32_768, floor: 16 } as const;

/** How each host differs. `host-facts.ts` says where each fact is written. */
export const dialects: Readonly<Record<AnthropicDialectName, AnthropicDialect>> = {
  deepseek: {
    name: "DeepSeek",
    baseURL: "https://api.deepseek.com/anthropic",
    keyVariable: "DEEPSEEK_API_KEY",
    unsignedThinking: true,
  },
  glm: {
    name: "Z.ai",
    baseURL: "https://api.z.ai/api/anthropic",
    keyVariable: "ZAI_API_KEY",
    unsignedThinking: true,
  },
  kimi: {
    name: "Kimi",
    baseURL: "https://api.moonshot.ai/anthropic",
    keyVariable: "MOONSHOT_API_KEY",
    unsignedThinking: true,
  },
  litellm: {
    name: "LiteLLM",
    baseURL: "http://localhost:4000",
    keyVariable: "LITELLM_API_KEY",
    mislabelsTruncation: true,
    maxTokens: raisedMaxTokens,
  },
  minimax: {
    name: "MiniMax",
    baseURL: "https://api.minimax.io/anthropic",
    keyVariable: "MINIMAX_API_KEY",
  },
  ollama: {
    name: "Ollama",
    baseURL: "http://localhost:11434",
    mislabelsTruncation: true,
    mislabelsStopSequences: true,
    unsignedThinking: true,
    bytesOnly: true,
    maxTokens,
  },
  openrouter: {
    name: "OpenRouter",
    baseURL: "https://openrouter.ai/api",
    keyVariable: "OPENROUTER_API_KEY",
  },
  vercel: {
    name: "Vercel AI Gateway",
    baseURL: "https://ai-gateway.vercel.sh",
    keyVariable: "AI_GATEWAY_API_KEY",
    serves: {
      models: /^anthropic\//,
      otherwise:
        'Over Messages, streams of the Vercel AI Gateway for models of other vendors than Anthropic came without their end. Use its Responses, `openai(model, { baseURL: "https://ai-gateway.vercel.sh/v1" })`, or its Chat, `openaiCompatible("vercel", model)`.',
    },
  },
  vllm: {
    name: "vLLM",
    baseURL: "http://localhost:8000",
    mislabelsTruncation: true,
    mislabelsStopSequences: true,
    maxTokens,
  },
};

/**
 * The dialect with this name, for `anthropicReply`. A program that does not call it has no table.
 * @throws TypeError if no dialect has this name.
 */
export function dialectNamed(name: AnthropicDialectName): NamedAnthropicDialect {
  if (Object.hasOwn(dialects, name)) return { provider: name, ...dialects[name] };
  const meant = nearest(name, Object.keys(dialects));
  throw new TypeError(
    `No dialect of Messages is called "${name}".${meant === undefined ? "" : ` Did you mean "${meant}"?`} For a host that is not listed, leave \`dialect\` out, and pass \`baseURL\`.`,
  );
}

/** Who answers at an address, if it is a public one of the table. */
export const hostNameAt = (address: string): string | undefined =>
  Object.values(dialects).find(
    ({ baseURL }) =>
      baseURL.startsWith("https:") &&
      URL.canParse(address) &&
      new URL(baseURL).host === new URL(address).host,
  )?.name;
