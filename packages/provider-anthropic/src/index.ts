import type { Anthropic, ClientOptions } from "@anthropic-ai/sdk";
import type { Adapter } from "@fullstop/core";
import {
  type AdapterOptions,
  anyText,
  checkAdapterOptions,
  commonKinds,
  type EventBatches,
  environment,
  hasResponse,
  type KnownEndpoint,
  type OptionKinds,
  type OutputFormatOption,
  oneOf,
  parsedReply,
  refuseCap,
  sdkAdapter,
  sse,
  trueOrFalse,
} from "@fullstop/core/adapter";
import {
  type AnthropicDialect,
  type AnthropicDialectName,
  dialectNamed,
  type HostReplies,
  hostNameAt,
} from "./dialects.ts";
import { type AnthropicParams, encode } from "./encode.ts";
import { refuseReference } from "./media.ts";
import { formatTakes, outputFormatOf } from "./output.ts";
import { type AnthropicEvent, anthropicReply, ceilingOf, parseAnthropic } from "./reply.ts";

export {
  type AnthropicDialect,
  type AnthropicDialectName,
  dialects,
  type HostReplies,
} from "./dialects.ts";
export type { AnthropicParams, SamplingParams } from "./encode.ts";
export type { AnthropicEvent } from "./reply.ts";

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
 * `baseURL` is that of the dialect, or `https://api.anthropic.com`; `ANTHROPIC_BASE_URL` is ignored.
 * Without `apiKey` and `dialect` the SDK looks for credentials.
 */
export interface AnthropicOptions
  extends AdapterOptions<AnthropicClient, AnthropicParams>,
    HostReplies {
  /** The name of a host of this protocol. What the other options say counts more. */
  readonly dialect?: AnthropicDialectName | undefined;
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
  dialect: anyText,
  messageStop: oneOf("required", "optional"),
  blocks: oneOf("strict", "loose"),
  unsignedThinking: trueOrFalse,
};

const defaultCap = 32_000;
/**
 * Claude over the Messages API, through the vendor's SDK.
 * https://platform.claude.com/docs/en/api/messages
 * @throws TypeError or RangeError for options that cannot work. The message names the option.
 */
export function anthropic(model: string, options: AnthropicOptions = {}): Adapter {
  checkAdapterOptions(options, optionKinds, "anthropic");
  const { params, headers, stream = true } = options;
  refuseCap(params, ["max_tokens"]);
  const row = options.dialect === undefined ? undefined : dialectNamed(options.dialect);
  if (row !== undefined) refuseWhatFails(row, params);
  const { unsignedThinking = row?.unsignedThinking } = options;
  const caps = { ...row?.maxTokens, ...options.maxTokens };
  const { default: cap = defaultCap } = caps;
  const { ceiling = Math.max(cap, ceilingOf(model)) } = caps;
  const requestOptions = (signal: AbortSignal, maxTokens: number): RequestOptions => ({
    signal,
    maxRetries: 0,
    ...(headers && { headers }),
    ...(!stream && { timeout: wholeReplyMs(maxTokens) }),
  });
  return sdkAdapter<AnthropicClient, Sdk, AnthropicEvent>(options, {
    ...anthropicReply(model, { ...options, dialect: row }),
    callIds: { maxLength: 64, allowed: /^[a-zA-Z0-9_-]+$/ },
    maxTokens: { ...caps, default: cap, ceiling },
    outputFormat: outputFormatOf(model),
    formatTakes,
    refuseReference: row?.bytesOnly
      ? () => `${row.name} takes images only as bytes`
      : refuseReference,
    sdk: {
      name: "@anthropic-ai/sdk",
      load: () => import("@anthropic-ai/sdk"),
      create: (sdk) => new sdk.Anthropic(clientOptions(options, row)),
    },
    endpoint: () => endpointOf(options, row),
    send: async ({ messages }, request, signal) => {
      const body = encode(request, { model, cap, params, unsignedThinking });
      const sdkOptions = requestOptions(signal, body.max_tokens);
      return readReply(messages.create({ ...body, stream }, sdkOptions));
    },
  });
}

const defaultBaseURL = "https://api.anthropic.com";

/** @throws TypeError if the host needs a key, and none is known. */
function clientOptions(
  { baseURL, apiKey, fetch }: AnthropicOptions,
  row: AnthropicDialect | undefined,
): ClientOptions {
  const key = apiKey ?? (row === undefined ? undefined : keyOf(row));
  return {
    baseURL: baseURL ?? row?.baseURL ?? defaultBaseURL,
    maxRetries: 0,
    logLevel: "off",
    ...(key !== undefined && { apiKey: key }),
    ...(fetch && { fetch }),
  };
}

/** Nothing that the environment holds for Anthropic is sent to another host. */
function keyOf({ name, keyVariable }: AnthropicDialect): string {
  if (keyVariable === undefined) return "none";
  const key = environment()[keyVariable] ?? "";
  if (key === "")
    throw new TypeError(`No API key for ${name}: pass \`apiKey\`, or set ${keyVariable}.`);
  return key;
}

/** Who answers, for errors. A client of the caller has an address of its own. */
function endpointOf(
  { baseURL, client }: AnthropicOptions,
  row: AnthropicDialect | undefined,
): KnownEndpoint {
  const address = baseURL ?? row?.baseURL ?? defaultBaseURL;
  const own = client !== undefined && "baseURL" in client ? String(client.baseURL) : address;
  const isAnthropic = client !== undefined || address === defaultBaseURL;
  return {
    name: row?.name ?? hostNameAt(own) ?? (isAnthropic ? "Anthropic" : "The host"),
    keyVariable: row === undefined ? "ANTHROPIC_API_KEY" : row.keyVariable,
    baseURL: address,
  };
}

/** @throws TypeError if a cut call would run. */
function refuseWhatFails(
  { name, mislabelsStopSequences }: AnthropicDialect,
  params: AnthropicParams | undefined,
): void {
  if (mislabelsStopSequences && (params?.stop_sequences ?? []).length > 0)
    throw new TypeError(
      `${name} reports a call that a stop sequence cut as finished: leave out \`params.stop_sequences\`. If no request has tools, leave out \`dialect\` and pass \`baseURL\`.`,
    );
}

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
