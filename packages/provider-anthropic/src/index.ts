import Anthropic from "@anthropic-ai/sdk";
import type { Adapter, Endpoint, StopTable } from "@fullstop/core";
import {
  defineAdapter,
  type EventBatches,
  refuseCap,
  sse,
  withEndpoint,
} from "@fullstop/core/adapter";
import { type AnthropicEvent, createDecoder } from "./decode.ts";
import { type AnthropicParams, encode } from "./encode.ts";
import { errors } from "./errors.ts";
import { readSent } from "./sent.ts";
import { stops } from "./stops.ts";

export type { AnthropicEvent } from "./decode.ts";
export type { AnthropicParams } from "./encode.ts";
export { errors } from "./errors.ts";
export { stops } from "./stops.ts";

/** What is used of a client: the SDK's own, those of its Bedrock, Google Cloud and Foundry packages, or anything of this shape. */
export interface AnthropicClient {
  readonly messages: {
    create(params: Anthropic.MessageCreateParams, options: RequestOptions): PromiseLike<unknown>;
  };
}
/** What every request hands to the client beside its parameters. */
export interface RequestOptions {
  readonly signal: AbortSignal;
  readonly maxRetries: 0;
  readonly headers?: Readonly<Record<string, string>>;
  /** Milliseconds until the head of the response. */
  readonly timeout?: number;
}

/** `baseURL` is `https://api.anthropic.com` unless given, whatever the environment says; without `apiKey` the SDK looks for credentials. */
export interface AnthropicOptions extends Endpoint {
  /** A client of yours, with its own endpoint and credentials; `baseURL`, `apiKey` and `fetch` are not looked at then. */
  readonly client?: AnthropicClient | undefined;
  /** Parameters of the provider's API that go with every request. What a request itself says counts more. */
  readonly params?: AnthropicParams | undefined;
  /** Sent with every request: `anthropic-beta`, or an `anthropic-version` for hosts that refuse the SDK's. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Words of a host beside the vendor's. */
  readonly stops?: StopTable | undefined;
  /** Output caps in tokens: 32,000 unless a request names one, up to 128,000 for Claude 5 models and 64,000 for others. */
  readonly maxTokens?: Adapter["maxTokens"] | undefined;
  /** `"optional"` for hosts that never send `message_stop`: a reply is then whole with its `message_delta`. */
  readonly messageStop?: "required" | "optional" | undefined;
  /** `"loose"` for hosts that number content blocks with gaps, or end blocks that never began. The loss of a block is then not noticed. */
  readonly blocks?: "strict" | "loose" | undefined;
  /** `true` for routes that report a reply as finished although the output cap cut it. A call then runs only if the usage is below the cap. */
  readonly mislabelsTruncation?: boolean | undefined;
  /** `false` asks for the reply in one piece. */
  readonly stream?: boolean | undefined;
}

const defaultCap = 32_000;
const missingEndHint = 'If this host never sends `message_stop`, set `messageStop: "optional"`.';
/** https://platform.claude.com/docs/en/about-claude/models/overview */
const ceilingOf = (model: string): number =>
  /claude-[a-z]+-5(?!\d)/.test(model) ? 128_000 : 64_000;

/** Claude over the Messages API, through the vendor's SDK. https://platform.claude.com/docs/en/api/messages */
export function anthropic(model: string, options: AnthropicOptions = {}): Adapter {
  const { params, headers, messageStop = "required", blocks = "strict", stream = true } = options;
  refuseCap(params, ["max_tokens"]);
  let made: AnthropicClient | undefined;
  const client = (): AnthropicClient => {
    made ??= options.client ?? createClient(options);
    return made;
  };
  const cap = options.maxTokens?.default ?? defaultCap;
  const ceiling = options.maxTokens?.ceiling ?? Math.max(cap, ceilingOf(model));
  const extra = (tokens: number): Partial<RequestOptions> => ({
    ...(headers && { headers }),
    ...(!stream && { timeout: wholeReplyMs(tokens) }),
  });
  const adapter = defineAdapter<AnthropicEvent>({
    provider: "anthropic",
    protocol: "anthropic-messages",
    model,
    stops: { ...stops, ...options.stops },
    errors,
    toolInputEnd: "explicit",
    callIds: { maxLength: 64, allowed: /^[a-zA-Z0-9_-]+$/ },
    maxTokens: { default: cap, ceiling },
    capRequired: true,
    readSent,
    ...(options.mislabelsTruncation && { mislabelsTruncation: true }),
    ...(messageStop === "required" && { missingEndHint: missingEndHint }),
    open: async (request, signal) => {
      const body = encode(request, { model, cap, params });
      return read(
        client().messages.create(
          { ...body, stream },
          { signal, maxRetries: 0, ...extra(body.max_tokens) },
        ),
      );
    },
    decoder: (emit) => createDecoder(emit, { messageStop, blocks }),
  });
  const about = { name: "Anthropic", keyVariable: "ANTHROPIC_API_KEY" };
  return withEndpoint(adapter, () => ({
    ...options,
    ...about,
    baseURL: options.baseURL ?? host,
    client: made,
  }));
}

const host = "https://api.anthropic.com";

function createClient({ baseURL = host, apiKey, fetch }: AnthropicOptions): Anthropic {
  return new Anthropic({
    baseURL,
    maxRetries: 0,
    logLevel: "off",
    ...(apiKey !== undefined && { apiKey }),
    ...(fetch && { fetch }),
  });
}

/** The SDK refuses to ask for a long reply in one piece unless it is told how long to wait; this is its own estimate, an hour for 128,000 tokens. */
const wholeReplyMs = (maxTokens: number): number =>
  Math.max(600_000, Math.ceil((3_600_000 * maxTokens) / 128_000));

/** The response itself where the client has one that the core can read, for the SDK's own stream drops what it cannot read and ends silently when cut. */
async function read(reply: PromiseLike<unknown>): Promise<EventBatches<AnthropicEvent>> {
  if (!hasResponse(reply)) return batches(await reply);
  const response = await reply.asResponse();
  const type = response.headers.get("content-type") ?? "";
  if (!/amazon\.eventstream/i.test(type)) return sse<AnthropicEvent>(response);
  const head = {
    status: response.status,
    requestId: response.headers.get("request-id") ?? undefined,
  };
  return batches(await reply, head);
}

const hasResponse = (
  reply: PromiseLike<unknown>,
): reply is PromiseLike<unknown> & { asResponse(): Promise<Response> } =>
  "asResponse" in reply && typeof reply.asResponse === "function";

/** What a client read by itself: a stream of events (Bedrock's binary frames), or a whole message. */
async function* events(reply: unknown): AsyncGenerator<readonly AnthropicEvent[]> {
  if (!isStream(reply)) yield [reply as AnthropicEvent];
  else for await (const event of reply) yield [event];
}
const isStream = (reply: unknown): reply is AsyncIterable<AnthropicEvent> =>
  typeof reply === "object" && reply !== null && Symbol.asyncIterator in reply;
const batches = (
  reply: unknown,
  head?: EventBatches<AnthropicEvent>["head"],
): EventBatches<AnthropicEvent> => Object.assign(events(reply), { head });
