import type { Adapter } from "@fullstop/core";
import {
  type AdapterOptions,
  anyText,
  anyValue,
  checkAdapterOptions,
  checkOptions,
  commonKinds,
  listOf,
  type OptionKinds,
  refuseCap,
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
import { interactionsReply } from "./reply.ts";

const paramKinds: OptionKinds<Required<InteractionsParams>> = {
  cached_content: anyText,
  generation_config: anyValue,
  labels: anyValue,
  response_format: anyValue,
  response_modalities: /* @__PURE__ */ listOf("modalities"),
  safety_settings: /* @__PURE__ */ listOf("settings"),
  service_tier: anyText,
};

const configKinds: OptionKinds<Required<NonNullable<InteractionsParams["generation_config"]>>> = {
  image_config: anyValue,
  seed: anyValue,
  speech_config: anyValue,
  stop_sequences: /* @__PURE__ */ listOf("texts"),
  temperature: anyValue,
  thinking_level: anyText,
  thinking_summaries: anyText,
  tool_choice: anyValue,
  top_p: anyValue,
  transcription_config: anyValue,
  video_config: anyValue,
};

/** Names of generateContent, in small letters without `_`. */
const aliases: Readonly<Record<string, string>> = /* @__PURE__ */ createAliases();

function createAliases(): Readonly<Record<string, string>> {
  const ofConfig = Object.keys(configKinds).map((name) => name.replaceAll("_", ""));
  return {
    thinkingconfig: "generation_config",
    toolconfig: "generation_config",
    responsejsonschema: "response_format",
    responseschema: "response_format",
    ...Object.fromEntries(ofConfig.map((name) => [name, "generation_config"])),
  };
}

/** Parameters with which the API keeps the conversation, or runs without the program. */
const stateful: ReadonlySet<string> = new Set([
  "agent",
  "agentconfig",
  "background",
  "continuationtoken",
  "environment",
  "previousinteractionid",
  "store",
  "webhookconfig",
]);

/**
 * Refuses parameters that the API does not know: it answers a request that has one with a 400.
 * @throws TypeError that names the parameter, and says where the one belongs that was meant.
 */
function checkInteractionsParams(params: InteractionsParams | undefined): void {
  if (params === undefined) return;
  checkOptions(params, paramKinds, { parent: "params", aliases, advise, hidesValues: true });
  const { generation_config: config } = params;
  if (config === undefined) return;
  const { max_output_tokens: cap } = config as { readonly max_output_tokens?: unknown };
  refuseCap({ "generation_config.max_output_tokens": cap }, [
    "generation_config.max_output_tokens",
  ]);
  checkOptions(config, configKinds, { parent: "params.generation_config", hidesValues: true });
}

const advise = (letters: string): string | undefined =>
  stateful.has(letters)
    ? "The adapter keeps the history itself: each request has all of it, with `store: false`."
    : undefined;

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
