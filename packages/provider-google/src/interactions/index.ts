import type { Adapter } from "@fullstop/core";
import {
  type AdapterOptions,
  checkAdapterOptions,
  commonKinds,
  sdkAdapter,
} from "@fullstop/core/adapter";
import type { GoogleGenAIRequestOptions } from "@google/genai";
import { isObject } from "../google-error.ts";
import { referenceRule } from "../media.ts";
import { capsOf, outputFormatOf } from "../models.ts";
import type { HostReplyOptions } from "../reply-options.ts";
import { type Fetch, fetchOf, googleEndpoint, googleSdk, readReply, type Sdk } from "../sdk.ts";
import { throwReadable } from "../thrown.ts";
import { encodeInteraction, type InteractionsParams, type SentInteraction } from "./encode.ts";
import { type InteractionsEvent, parseInteractions } from "./events.ts";
import { checkInteractionsParams } from "./params.ts";
import { interactionsReply } from "./reply.ts";

/** The part of a client that the adapter uses: the SDK's own, or any object of this shape. */
export interface InteractionsClient {
  readonly vertexai?: boolean;
  readonly interactions: {
    create(
      params: SentInteraction & { readonly stream: boolean },
      options: GoogleGenAIRequestOptions,
    ): PromiseLike<unknown>;
  };
}

/**
 * The adapter was made from the types of `@google/genai` 3.1.0 and 3.3.0 and from the vendor's
 * pages of November 2026, and was tried with the SDK against a server on the loopback, not against
 * the live service.
 *
 * Every request has the whole history, with `store: false`: the API keeps nothing.
 */
export interface InteractionsOptions
  extends AdapterOptions<InteractionsClient, InteractionsParams>,
    HostReplyOptions {}

/**
 * Gemini over Interactions, through the vendor's SDK. https://ai.google.dev/api/interactions-api
 * @throws TypeError or RangeError for options that cannot work. The message names the option.
 */
export function googleInteractions(model: string, options: InteractionsOptions = {}): Adapter {
  checkAdapterOptions(options, commonKinds, "googleInteractions");
  const { client, params, headers, stream = true } = options;
  checkInteractionsParams(params);
  const vertexai = client?.vertexai === true;
  const maxTokens = capsOf(model, options.maxTokens);
  return sdkAdapter<InteractionsClient, Sdk, InteractionsEvent>(options, {
    ...interactionsReply(model, { ...options, vertexai }),
    maxTokens,
    outputFormat: outputFormatOf(model),
    refuseReference: referenceRule(model, vertexai),
    sdk: googleSdk(options),
    endpoint: () => googleEndpoint,
    send: async (used, request, signal) => {
      const body = encodeInteraction(request, { model, cap: maxTokens.default, params });
      const sendOnce = (fetch: Fetch | undefined): PromiseLike<unknown> =>
        resourceWith(used, fetch).create(
          { ...body, stream },
          { signal, retries: { strategy: "none" }, ...(headers && { headers }) },
        );
      return readReply(sendOnce, fetchOf(options), parseInteractions).catch((thrown) =>
        throwReadable(unwrapped(thrown)),
      );
    },
  });
}

/**
 * What failed before the request was sent, such as a search for credentials. The SDK wraps it, and
 * then it reads as a lost connection.
 */
function unwrapped(thrown: unknown): unknown {
  let found = thrown;
  while (isObject(found) && "cause" in found && isObject(found.cause) && isWrapper(found))
    found = found.cause;
  return found;
}
const isWrapper = (error: object): boolean =>
  "message" in error &&
  typeof error.message === "string" &&
  error.message.startsWith("Unexpected HTTP client error");

/**
 * The resource of the SDK with another `fetch`: its `create` takes none for a single request, so
 * this is a copy of the resource and of the client behind it.
 */
function resourceWith(
  { interactions: resource, ...client }: InteractionsClient,
  fetch: Fetch | undefined,
): InteractionsClient["interactions"] {
  if (fetch === undefined) return resource;
  const { parentClient } = resource as { readonly parentClient?: object };
  return Object.create(resource, {
    parentClient: {
      value: Object.create(parentClient ?? client, { getFetch: { value: () => fetch } }),
    },
    sdk: { value: undefined, writable: true },
  });
}
