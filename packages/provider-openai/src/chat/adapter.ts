import type { Adapter, Endpoint } from "@fullstop/core";
import {
  type AdapterSpec,
  defineAdapter,
  formatOption,
  type KnownEndpoint,
  type OutputFormatOption,
  readSdkReply,
  refuseCap,
  withEndpoint,
} from "@fullstop/core/adapter";
import type { ClientOptions, OpenAI } from "openai";
import { openaiClient, type RequestOptions, requestOptions } from "../client.ts";
import { type ChatEvent, parseChat } from "./decode/events.ts";
import { type ChatParams, encodeChatRequest } from "./encode/index.ts";
import { imageUrls } from "./encode/references.ts";
import type { Quirks } from "./quirks.ts";
import { type ChatReplyHost, type ChatReplyOptions, chatReplySpec } from "./reply.ts";
import { capNames } from "./sent-request.ts";

/**
 * The part of a client that is used: the SDK's own, its `AzureOpenAI`, or any object of this shape.
 */
export interface ChatClient {
  readonly chat: {
    readonly completions: {
      create(
        params: OpenAI.ChatCompletionCreateParams,
        options: RequestOptions,
      ): PromiseLike<unknown>;
    };
  };
}

/** Options of every host of the protocol. */
export interface ChatOptions extends Endpoint, ChatReplyOptions {
  /**
   * Your own client, with its own endpoint and credentials: `baseURL`, `apiKey` and `fetch` are
   * then ignored.
   */
  readonly client?: ChatClient | undefined;
  /**
   * Parameters of the API, sent with every request. A field of the request takes precedence. The
   * output cap belongs in `maxTokens`.
   */
  readonly params?: ChatParams | undefined;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /**
   * Output caps in tokens. `default`: sent if the request has none. `ceiling`: the highest that the
   * model accepts.
   */
  readonly maxTokens?: Adapter["maxTokens"] | undefined;
  /** `false` requests a reply that is not streamed. */
  readonly stream?: boolean | undefined;
  /**
   * When the host takes `response_format` with a JSON Schema. `"never"`: an object is requested as
   * the input of a tool. The default depends on the host and the model.
   */
  readonly outputFormat?: OutputFormatOption | undefined;
}

/** A host of the protocol, and how it differs from OpenAI. */
export interface ChatHost
  extends ChatReplyHost,
    Pick<AdapterSpec<ChatEvent>, "callIds" | "outputFormat"> {
  readonly quirks: Quirks;
  /** Called for the first request, unless the options hold a client. */
  clientOptions(): ClientOptions;
  /** For the error message if the key is missing. */
  readonly about?: Pick<KnownEndpoint, "name" | "keyVariable"> | undefined;
}

/**
 * Creates an adapter for a host of Chat Completions.
 * @throws TypeError if `params` holds the output cap.
 */
export function chatAdapter(host: ChatHost, options: ChatOptions): Adapter {
  const { model, quirks, callIds, about, clientOptions } = host;
  const { params, maxTokens, stream = true } = options;
  refuseCap(params, capNames);
  const client = openaiClient<ChatClient>(options.client, clientOptions);
  const adapter = defineAdapter<ChatEvent>({
    ...chatReplySpec(host, options),
    ...(callIds && { callIds }),
    ...(maxTokens && { maxTokens }),
    ...formatOption(options.outputFormat, host.outputFormat),
    refuseReference: (block) => {
      const part = (quirks.reference ?? imageUrls)(block);
      return typeof part === "string" ? part : undefined;
    },
    open: async (request, signal) => {
      const body = encodeChatRequest(request, { model, stream, quirks, params });
      const { chat } = await client.get(signal);
      return readSdkReply(chat.completions.create(body, requestOptions(signal, options)), {
        parse: parseChat,
      });
    },
  });
  return withEndpoint(adapter, () => ({ ...options, ...about, client: client.known }));
}
