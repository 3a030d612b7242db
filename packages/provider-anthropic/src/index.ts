import type { Anthropic, ClientOptions } from "@anthropic-ai/sdk";
import type { Adapter } from "@fullstop/core";
import {
  type AdapterOptions,
  checkAdapterOptions,
  commonKinds,
  type EventBatches,
  hasResponse,
  type OptionKinds,
  type OutputFormatOption,
  oneOf,
  parsedReply,
  refuseCap,
  sdkAdapter,
  sse,
} from "@fullstop/core/adapter";
import { type AnthropicParams, encode } from "./encode.ts";
import { refuseReference } from "./media.ts";
import { formatTakes, outputFormatOf } from "./output.ts";
import {
  type AnthropicEvent,
  type AnthropicReplyOptions,
  anthropicReply,
  parseAnthropic,
} from "./reply.ts";

export type { AnthropicParams, SamplingParams } from "./encode.ts";
export type { AnthropicEvent, AnthropicReplyOptions } from "./reply.ts";

/**
 * The part of a client that the adapter uses: the SDK's own, those of its Bedrock, Google Cloud and
 * Foundry packages, or any object of this shape.
 */
export interface AnthropicClient {
  readonly messages: {
    create(params: Anthropic.MessageCreateParams, options: RequestOptions): PromiseLike<unknown>;
  };
}
/** What the adapter passes to the client besides the parameters. */
export interface RequestOptions {
  readonly signal: AbortSignal;
  readonly maxRetries: 0;
  readonly headers?: Readonly<Record<string, string>>;
  /** In milliseconds, until the response begins. */
  readonly timeout?: number;
}

/**
 * `baseURL` is `https://api.anthropic.com` by default; `ANTHROPIC_BASE_URL` is ignored.
 * Without `apiKey` the SDK looks for credentials.
 */
export interface AnthropicOptions
  extends AdapterOptions<AnthropicClient, AnthropicParams>,
    AnthropicReplyOptions {
  /**
   * Sent with every request: `anthropic-beta`, or an `anthropic-version` for a host that refuses
   * the SDK's.
   */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /**
   * Output caps in tokens. The default is 32,000; the ceiling is 128,000 for Claude 5 models and
   * 64,000 for others.
   */
  readonly maxTokens?: Adapter["maxTokens"] | undefined;
  /**
   * When the host takes `output_config.format`. `"never"`: an object is requested as the input of a
   * tool. The default is `"always"` for Claude 4.5 and later.
   */
  readonly outputFormat?: OutputFormatOption | undefined;
}

type Sdk = typeof import("@anthropic-ai/sdk");

const optionKinds: OptionKinds<Required<AnthropicOptions>> = {
  ...commonKinds,
  messageStop: oneOf("required", "optional"),
  blocks: oneOf("strict", "loose"),
};

const defaultCap = 32_000;
/** https://platform.claude.com/docs/en/about-claude/models/overview */
const ceilingOf = (model: string): number =>
  /claude-[a-z]+-5(?!\d)/.test(model) ? 128_000 : 64_000;

/**
 * Claude over the Messages API, through the vendor's SDK.
 * https://platform.claude.com/docs/en/api/messages
 * @throws TypeError or RangeError for options that cannot work. The message names the option.
 */
export function anthropic(model: string, options: AnthropicOptions = {}): Adapter {
  checkAdapterOptions(options, optionKinds, "anthropic");
  const { params, headers, stream = true } = options;
  refuseCap(params, ["max_tokens"]);
  const cap = options.maxTokens?.default ?? defaultCap;
  const ceiling = options.maxTokens?.ceiling ?? Math.max(cap, ceilingOf(model));
  const requestOptions = (signal: AbortSignal, maxTokens: number): RequestOptions => ({
    signal,
    maxRetries: 0,
    ...(headers && { headers }),
    ...(!stream && { timeout: wholeReplyMs(maxTokens) }),
  });
  return sdkAdapter<AnthropicClient, Sdk, AnthropicEvent>(options, {
    ...anthropicReply(model, options),
    callIds: { maxLength: 64, allowed: /^[a-zA-Z0-9_-]+$/ },
    maxTokens: { default: cap, ceiling },
    outputFormat: outputFormatOf(model),
    formatTakes,
    refuseReference,
    sdk: {
      name: "@anthropic-ai/sdk",
      load: () => import("@anthropic-ai/sdk"),
      create: (sdk) => new sdk.Anthropic(clientOptions(options)),
    },
    endpoint: () => ({
      name: "Anthropic",
      keyVariable: "ANTHROPIC_API_KEY",
      baseURL: options.baseURL ?? defaultBaseURL,
    }),
    send: async ({ messages }, request, signal) => {
      const body = encode(request, { model, cap, params });
      const sdkOptions = requestOptions(signal, body.max_tokens);
      return readReply(messages.create({ ...body, stream }, sdkOptions));
    },
  });
}

const defaultBaseURL = "https://api.anthropic.com";

const clientOptions = ({
  baseURL = defaultBaseURL,
  apiKey,
  fetch,
}: AnthropicOptions): ClientOptions => ({
  baseURL,
  maxRetries: 0,
  logLevel: "off",
  ...(apiKey !== undefined && { apiKey }),
  ...(fetch && { fetch }),
});

/** The SDK's own estimate: one hour for 128,000 tokens, and at least ten minutes. */
const wholeReplyMs = (maxTokens: number): number =>
  Math.max(600_000, Math.ceil((3_600_000 * maxTokens) / 128_000));

/**
 * Reads the raw response if the client can give it: the SDK's own stream drops events that it
 * cannot read, and ends silently if the connection is cut. Bedrock's binary frames are left to the
 * client.
 */
async function readReply(reply: PromiseLike<unknown>): Promise<EventBatches<AnthropicEvent>> {
  if (!hasResponse(reply)) return parsedReply(await reply);
  const response = await reply.asResponse();
  const { headers, status } = response;
  if (!/amazon\.eventstream/i.test(headers.get("content-type") ?? ""))
    return sse(response, { parse: parseAnthropic });
  const requestId = headers.get("request-id") ?? undefined;
  return parsedReply(await reply, { status, requestId });
}
