import type { Adapter } from "@fullstop/core";
import {
  type AdapterOptions,
  checkAdapterOptions,
  commonKinds,
  type EventBatches,
  type OptionKinds,
  type OutputFormatOption,
  oneOf,
  parsedReply,
  refuseCap,
  sdkAdapter,
  sse,
} from "@fullstop/core/adapter";
import type { GenerateContentParameters, GoogleGenAIOptions, HttpOptions } from "@google/genai";
import { encode, type GoogleParams } from "./encode.ts";
import { referenceRule } from "./media.ts";
import { ceilingOf, outputFormatOf } from "./models.ts";
import { type GoogleEvent, type GoogleReplyOptions, googleReply, parseGoogle } from "./reply.ts";
import { throwReadable } from "./thrown.ts";

export type { GoogleParams } from "./encode.ts";
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

type Sdk = typeof import("@google/genai");

const optionKinds: OptionKinds<Required<GoogleOptions>> = {
  ...commonKinds,
  finishReason: oneOf("last-chunk", "every-chunk"),
};

const defaultCap = 32_000;
const defaultBaseURL = "https://generativelanguage.googleapis.com";

/**
 * Gemini over generateContent, through the vendor's SDK. https://ai.google.dev/api/generate-content
 * @throws TypeError or RangeError for options that cannot work. The message names the option.
 */
export function google(model: string, options: GoogleOptions = {}): Adapter {
  checkAdapterOptions(options, optionKinds, "google");
  const { params, headers, stream = true } = options;
  refuseCap(params, ["maxOutputTokens"]);
  const vertexai = options.client?.vertexai === true;
  const ceiling =
    options.maxTokens?.ceiling ?? Math.max(options.maxTokens?.default ?? 0, ceilingOf(model));
  const cap = options.maxTokens?.default ?? Math.min(defaultCap, ceiling);
  const reader = googleReply(model, { ...options, vertexai });
  const { provider, protocol } = reader;
  return sdkAdapter<GoogleClient, Sdk, GoogleEvent>(options, {
    ...reader,
    maxTokens: { default: cap, ceiling },
    outputFormat: outputFormatOf(model),
    refuseReference: referenceRule(model, vertexai),
    sdk: {
      name: "@google/genai",
      load: () => import("@google/genai"),
      create: (sdk) => new sdk.GoogleGenAI(clientOptions(options)),
    },
    endpoint: () => ({
      name: "Gemini",
      keyVariable: "GEMINI_API_KEY",
      baseURL: options.client === undefined ? (options.baseURL ?? defaultBaseURL) : undefined,
    }),
    send: async ({ models }, request, abortSignal) => {
      const { config, ...rest } = encode(request, { provider, protocol, model, cap, params });
      const fetch =
        options.client === undefined
          ? (options.fetch ?? globalThis.fetch)
          : fetchOf(options.client);
      const sendOnce: Send = (http) => {
        const httpOptions: HttpOptions = {
          ...http,
          retryOptions: { attempts: 1 },
          ...(headers && { headers: { ...headers } }),
        };
        const sdkParams = { ...rest, config: { ...config, abortSignal, httpOptions } };
        return stream ? models.generateContentStream(sdkParams) : models.generateContent(sdkParams);
      };
      return readReply(sendOnce, fetch).catch(throwReadable);
    },
  });
}

const clientOptions = ({
  baseURL = defaultBaseURL,
  apiKey,
  fetch,
}: GoogleOptions): GoogleGenAIOptions => ({
  vertexai: false,
  httpOptions: { baseUrl: baseURL, apiVersion: "v1beta", ...(fetch && { fetch }) },
  ...(apiKey !== undefined && { apiKey }),
});

type Fetch = NonNullable<HttpOptions["fetch"]>;
type Send = (http: HttpOptions) => PromiseLike<unknown>;

/**
 * The `fetch` that a client of the SDK uses. `undefined` for any other client: its `fetch` is not
 * known, so it is not replaced.
 */
function fetchOf(client: GoogleClient): Fetch | undefined {
  const { apiClient } = client as { readonly apiClient?: { getFetch?(): Fetch | undefined } };
  return apiClient?.getFetch === undefined ? undefined : (apiClient.getFetch() ?? globalThis.fetch);
}

/**
 * Takes the response of the SDK's request, and gives the SDK an empty one: the SDK's own reader
 * drops errors, `finishMessage` and the head, fails on some framings, and ends silently if the
 * connection is cut.
 */
async function readReply(send: Send, fetch: Fetch | undefined): Promise<EventBatches<GoogleEvent>> {
  if (fetch === undefined) return parsedReply(await send({}));
  return new Promise((resolve, reject) => {
    const interceptedFetch: Fetch = async (...request) => {
      const response = await fetch(...request);
      resolve(sse(response, { parse: parseGoogle }));
      return Response.json({});
    };
    send({ fetch: interceptedFetch }).then((reply) => resolve(parsedReply(reply)), reject);
  });
}
