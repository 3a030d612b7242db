import {
  type AdapterOptions,
  type EventBatches,
  type KnownEndpoint,
  type ParseEvent,
  parsedReply,
  type SdkSource,
  sse,
} from "@fullstop/core/adapter";
import type { GoogleGenAI, GoogleGenAIOptions, HttpOptions } from "@google/genai";

export type Sdk = typeof import("@google/genai");
export type Fetch = NonNullable<HttpOptions["fetch"]>;

type ClientOptions = AdapterOptions<object, object>;

const defaultBaseURL = "https://generativelanguage.googleapis.com";

/** How an adapter of this package makes a client of the SDK. */
export const googleSdk = (options: ClientOptions): SdkSource<GoogleGenAI, Sdk> => ({
  name: "@google/genai",
  load: () => import("@google/genai"),
  create: (sdk) => new sdk.GoogleGenAI(clientOptions(options)),
});

const clientOptions = ({
  baseURL = defaultBaseURL,
  apiKey,
  fetch,
}: ClientOptions): GoogleGenAIOptions => ({
  vertexai: false,
  httpOptions: { baseUrl: baseURL, apiVersion: "v1beta", ...(fetch && { fetch }) },
  ...(apiKey !== undefined && { apiKey }),
});

/** What errors say and hide. */
export const googleEndpoint: KnownEndpoint = {
  name: "Gemini",
  keyVariable: "GEMINI_API_KEY",
  baseURL: defaultBaseURL,
};

/**
 * The `fetch` of the options, or that of a given client of the SDK. `undefined` for any other
 * client: its `fetch` is not known, so it is not replaced.
 */
export function fetchOf({ client, fetch }: ClientOptions): Fetch | undefined {
  if (client === undefined) return fetch ?? globalThis.fetch;
  const { apiClient } = client as { readonly apiClient?: { getFetch?(): Fetch | undefined } };
  return apiClient?.getFetch === undefined ? undefined : (apiClient.getFetch() ?? globalThis.fetch);
}

/**
 * Takes the response of the SDK's request, and gives the SDK an empty one: the SDK's own reader
 * drops errors, `finishMessage` and the head, fails on some framings, and ends silently if the
 * connection is cut.
 */
export async function readReply<Native>(
  send: (fetch: Fetch | undefined) => PromiseLike<unknown>,
  fetch: Fetch | undefined,
  parse: ParseEvent<Native>,
): Promise<EventBatches<Native>> {
  if (fetch === undefined) return parsedReply(await send(undefined));
  return new Promise((resolve, reject) => {
    const interceptedFetch: Fetch = async (...request) => {
      const response = await fetch(...request).catch((thrown: unknown) => {
        // One of the SDK's clients wraps it.
        reject(thrown);
        throw thrown;
      });
      resolve(sse(response, { parse }));
      return Response.json({});
    };
    send(interceptedFetch).then((reply) => resolve(parsedReply(reply)), reject);
  });
}
