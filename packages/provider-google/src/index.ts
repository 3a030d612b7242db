import type { Adapter } from "@fullstop/core";
import {
  type AdapterOptions,
  checkAdapterOptions,
  commonKinds,
  type OptionKinds,
  type OutputFormatOption,
  oneOf,
  refuseCap,
  sdkAdapter,
} from "@fullstop/core/adapter";
import type { GenerateContentParameters, HttpOptions } from "@google/genai";
import { encode, type GoogleParams } from "./encode.ts";
import { referenceRule } from "./media.ts";
import { capsOf, outputFormatOf } from "./models.ts";
import { type GoogleEvent, type GoogleReplyOptions, googleReply, parseGoogle } from "./reply.ts";
import { type Fetch, fetchOf, googleEndpoint, googleSdk, readReply, type Sdk } from "./sdk.ts";
import { throwReadable } from "./thrown.ts";

export type { GoogleParams } from "./encode.ts";
export type { InteractionsParams } from "./interactions/encode.ts";
export {
  googleInteractions,
  type InteractionsClient,
  type InteractionsOptions,
} from "./interactions/index.ts";
export type { FinishReasonOn, GoogleEvent, GoogleReplyOptions } from "./reply.ts";

/**
 * The part of a client that the adapter uses: the SDK's own, for the Developer API or for Vertex
 * AI, or any object of this shape.
 */
export interface GoogleClient {
  readonly vertexai?: boolean;
  readonly models: {
    generateContentStream(params: GenerateContentParameters): PromiseLike<unknown>;
    generateContent(params: GenerateContentParameters): PromiseLike<unknown>;
  };
}

/**
 * `baseURL` is `https://generativelanguage.googleapis.com` by default; environment variables do not
 * change it. Without `apiKey` the SDK looks for credentials.
 */
export interface GoogleOptions
  extends AdapterOptions<GoogleClient, GoogleParams>,
    GoogleReplyOptions {
  /**
   * A client with its own endpoint and credentials, such as `new GoogleGenAI({ vertexai: true,
   * project, location })`. `baseURL`, `apiKey` and `fetch` are then ignored.
   */
  readonly client?: GoogleClient | undefined;
  /**
   * Output caps in tokens. The default is 32,000; the ceiling is 65,536 (8,192 before Gemini 2.5).
   */
  readonly maxTokens?: Adapter["maxTokens"] | undefined;
  /**
   * When the model takes `responseJsonSchema`. `"never"`: an object is requested as the input of a
   * tool. The default is `"always"` for Gemini 3 and later, and `"without-tools"` for Gemini 2.5.
   */
  readonly outputFormat?: OutputFormatOption | undefined;
}

const optionKinds: OptionKinds<Required<GoogleOptions>> = {
  ...commonKinds,
  finishReason: /* @__PURE__ */ oneOf("last-chunk", "every-chunk"),
};

/**
 * Gemini over generateContent, through the vendor's SDK. https://ai.google.dev/api/generate-content
 * @throws TypeError or RangeError for options that cannot work. The message names the option.
 */
export function google(model: string, options: GoogleOptions = {}): Adapter {
  checkAdapterOptions(options, optionKinds, "google");
  const { params, headers, stream = true } = options;
  refuseCap(params, ["maxOutputTokens"]);
  const vertexai = options.client?.vertexai === true;
  const maxTokens = capsOf(model, options.maxTokens);
  const reader = googleReply(model, { ...options, vertexai });
  const { provider, protocol } = reader;
  return sdkAdapter<GoogleClient, Sdk, GoogleEvent>(options, {
    ...reader,
    maxTokens,
    outputFormat: outputFormatOf(model),
    refuseReference: referenceRule(model, vertexai),
    sdk: googleSdk(options),
    endpoint: () => googleEndpoint,
    send: async ({ models }, request, abortSignal) => {
      const cap = maxTokens.default;
      const { config, ...rest } = encode(request, { provider, protocol, model, cap, params });
      const sendOnce = (fetch: Fetch | undefined): PromiseLike<unknown> => {
        const httpOptions: HttpOptions = {
          ...(fetch && { fetch }),
          retryOptions: { attempts: 1 },
          ...(headers && { headers: { ...headers } }),
        };
        const sdkParams = { ...rest, config: { ...config, abortSignal, httpOptions } };
        return stream ? models.generateContentStream(sdkParams) : models.generateContent(sdkParams);
      };
      return readReply(sendOnce, fetchOf(options), parseGoogle).catch(throwReadable);
    },
  });
}
