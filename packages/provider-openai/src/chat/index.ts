import type { Adapter } from "@fullstop/core";
import {
  type AdapterOptions,
  type AdapterSpec,
  checkAdapterOptions,
  commonKinds,
  readSdkReply,
  refuseCap,
  sdkAdapter,
} from "@fullstop/core/adapter";
import type { OpenAI } from "openai";
import {
  about,
  clientOptions,
  type HostClient,
  openaiSdk,
  type RequestOptions,
  requestOptions,
  type Sdk,
} from "../client.ts";
import { openaiOutputFormat } from "../output.ts";
import { type ChatParams, encodeChatRequest } from "./encode.ts";
import { type ChatEvent, parseChat } from "./events.ts";
import { imageUrls, openaiQuirks, type Quirks } from "./quirks.ts";
import {
  type ChatReplyHost,
  type ChatReplyOptions,
  capNames,
  chatReplySpec,
  stopSequencesIn,
} from "./reply.ts";

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
export interface ChatOptions extends AdapterOptions<ChatClient, ChatParams>, ChatReplyOptions {}

/** A host of the protocol, and how it differs from OpenAI. */
export interface ChatHost
  extends ChatReplyHost,
    HostClient,
    Pick<AdapterSpec<ChatEvent>, "callIds" | "outputFormat"> {
  readonly quirks: Quirks;
}

/**
 * Creates an adapter for a host of Chat Completions.
 * @throws TypeError if `params` holds the output cap.
 */
export function chatAdapter(host: ChatHost, options: ChatOptions): Adapter {
  const { model, quirks, callIds, about, clientOptions } = host;
  const { params, maxTokens, stream = true } = options;
  refuseCap(params, capNames);
  return sdkAdapter<ChatClient, Sdk, ChatEvent>(options, {
    ...chatReplySpec(host, options, { stopSequences: stopSequencesIn(params) }),
    ...(callIds && { callIds }),
    ...(maxTokens && { maxTokens }),
    outputFormat: host.outputFormat,
    refuseReference: (block) => {
      const part = (quirks.reference ?? imageUrls)(block);
      return typeof part === "string" ? part : undefined;
    },
    sdk: openaiSdk(clientOptions),
    endpoint: () => ({ ...about }),
    send: async ({ chat }, request, signal) => {
      const body = encodeChatRequest(request, { model, stream, quirks, params });
      return readSdkReply(chat.completions.create(body, requestOptions(signal, options)), {
        parse: parseChat,
      });
    },
  });
}

/**
 * `baseURL` defaults to `https://api.openai.com/v1`; the environment does not change it. Without
 * `apiKey` the SDK reads `OPENAI_API_KEY`.
 */
export type OpenAIChatOptions = ChatOptions;

/** Call ids that the API accepts. */
export const chatCallIds: NonNullable<Adapter["callIds"]> = {
  maxLength: 40,
  allowed: /^[a-zA-Z0-9_-]+$/,
};

/**
 * OpenAI over Chat Completions, through the vendor's SDK.
 * https://developers.openai.com/api/reference/resources/chat
 * @throws TypeError or RangeError for options that cannot work. The message names the option.
 */
export function openaiChat(model: string, options: OpenAIChatOptions = {}): Adapter {
  checkAdapterOptions(options, commonKinds, "openaiChat");
  return chatAdapter(
    {
      provider: "openai",
      about,
      model,
      callIds: chatCallIds,
      quirks: openaiQuirks(model),
      outputFormat: openaiOutputFormat(model),
      clientOptions: () => clientOptions(options),
    },
    options,
  );
}
