import { type Adapter, defineAdapter, type Endpoint, type StopTable } from "@fullstop/core";
import type OpenAI from "openai";
import { createClient, once, type RequestOptions, read, requestOptions } from "../client.ts";
import { createDecoder, type ResponsesEvent } from "./decode.ts";
import { ceilingOf } from "./effort.ts";
import { encode, type ResponsesParams } from "./encode.ts";
import { errors } from "./errors.ts";
import { stops } from "./stops.ts";

/** What is used of a client: the SDK's own, its Azure one, or anything of this shape. */
export interface ResponsesClient {
  readonly responses: { create(params: OpenAI.Responses.ResponseCreateParams, options: RequestOptions): PromiseLike<unknown> };
}

/** `baseURL` is `https://api.openai.com/v1` unless given, whatever the environment says; without `apiKey` the SDK looks for it. */
export interface OpenAIOptions extends Endpoint {
  /** A client of yours, with its own endpoint and credentials; `baseURL`, `apiKey` and `fetch` are not looked at then. */
  readonly client?: ResponsesClient | undefined;
  readonly params?: ResponsesParams | undefined;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Words of a host beside the vendor's. */
  readonly stops?: StopTable | undefined;
  /** Output caps in tokens, reasoning included. None is sent unless the request or `default` names one. */
  readonly maxTokens?: Adapter["maxTokens"] | undefined;
  /** `false` asks for the reply in one piece. */
  readonly stream?: boolean | undefined;
}

/** OpenAI's models over the Responses API, through the vendor's SDK. */
export function openai(model: string, options: OpenAIOptions = {}): Adapter {
  const { params, stream = true, maxTokens = {} } = options;
  const client = once((): ResponsesClient => options.client ?? createClient(options));
  return defineAdapter<ResponsesEvent>({
    provider: "openai",
    protocol: "openai-responses",
    model,
    stops: { ...stops, ...options.stops },
    errors,
    completes: "per-call",
    callIds: { maxLength: 64, allowed: /^[a-zA-Z0-9_-]+$/ },
    maxTokens: { ...maxTokens, ceiling: maxTokens.ceiling ?? Math.max(maxTokens.default ?? 0, ceilingOf(model)) },
    open: async (request, signal) =>
      read(client().responses.create({ ...encode(request, { model, params }), stream }, requestOptions(signal, options))),
    decoder: createDecoder,
  });
}
