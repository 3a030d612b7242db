import type { Adapter, Endpoint, StopTable } from "@fullstop/core";
import {
  type AdapterSpec,
  defineAdapter,
  type KnownEndpoint,
  refuseCap,
  withEndpoint,
} from "@fullstop/core/adapter";
import type OpenAI from "openai";
import { type RequestOptions, read, requestOptions } from "../client.ts";
import { createDecoder, type ResponsesEvent } from "./decode.ts";
import { ceilingOf } from "./effort.ts";
import { encode, type ResponsesParams } from "./encode.ts";
import { errors } from "./errors.ts";
import { rulesOf } from "./hosts.ts";
import { readSent } from "./sent.ts";
import { stops } from "./stops.ts";

/** What is used of a client: the SDK's own, its `AzureOpenAI`, or anything of this shape. */
export interface ResponsesClient {
  readonly responses: {
    create(
      params: OpenAI.Responses.ResponseCreateParams,
      options: RequestOptions,
    ): PromiseLike<unknown>;
  };
}

/** Options that every host of the protocol shares. */
export interface ResponsesOptions extends Endpoint {
  /** A client of yours, with its own endpoint and credentials; `baseURL`, `apiKey` and `fetch` are not looked at then. */
  readonly client?: ResponsesClient | undefined;
  /** Parameters of the provider's API that go with every request. What a request itself says counts more. */
  readonly params?: ResponsesParams | undefined;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Words of a host beside the vendor's. */
  readonly stops?: StopTable | undefined;
  /** Output caps in tokens, reasoning included. None is sent unless the request or `default` names one. */
  readonly maxTokens?: Adapter["maxTokens"] | undefined;
  /** The host calls cut replies `completed`: calls then need a usage below a cap that was sent. So do llama.cpp and LiteLLM. */
  readonly mislabelsTruncation?: boolean | undefined;
  /**
   * The host runs custom tools itself: `custom_tool_call`, and items of types that OpenAI does not have, are its steps, not calls.
   * `true` for `https://api.x.ai` unless given.
   */
  readonly runsCustomTools?: boolean | undefined;
  /** `false` asks for the reply in one piece. */
  readonly stream?: boolean | undefined;
}

/** A host of the protocol. */
export interface ResponsesHost
  extends Pick<AdapterSpec<ResponsesEvent>, "provider" | "model" | "errors"> {
  /** Makes the client, at the first request, where the options bring none. */
  connect(): ResponsesClient;
  /** What a person is told where there is no key. */
  readonly about?: Pick<KnownEndpoint, "name" | "keyVariable"> | undefined;
}

/**
 * An adapter for a host of the Responses API.
 * @throws TypeError if `params` holds the output cap, which `maxTokens` says.
 */
export function responsesAdapter(
  { connect, about, ...host }: ResponsesHost,
  options: ResponsesOptions,
): Adapter {
  const { params, stream = true, maxTokens = {}, mislabelsTruncation } = options;
  refuseCap(params, ["max_output_tokens"]);
  const { runsCustomTools = rulesOf(options.baseURL).runsCustomTools } = options;
  const { model } = host;
  let made: ResponsesClient | undefined;
  const client = (): ResponsesClient => {
    made ??= options.client ?? connect();
    return made;
  };
  const adapter = defineAdapter<ResponsesEvent>({
    ...host,
    protocol: "openai-responses",
    stops: { ...stops, ...options.stops },
    errors: { ...errors, ...host.errors },
    toolInputEnd: "explicit",
    callIds: { maxLength: 64, allowed: /^[a-zA-Z0-9_-]+$/ },
    maxTokens: {
      ...maxTokens,
      ceiling: maxTokens.ceiling ?? Math.max(maxTokens.default ?? 0, ceilingOf(model)),
    },
    open: async (request, signal) =>
      read(
        client().responses.create(
          { ...encode(request, { model, params }), stream },
          requestOptions(signal, options),
        ),
      ),
    decoder: (emit) => createDecoder(emit, { runsCustomTools }),
    readSent,
    ...(mislabelsTruncation !== undefined && { mislabelsTruncation: mislabelsTruncation }),
  });
  return withEndpoint(adapter, () => ({ ...options, ...about, client: made }));
}
