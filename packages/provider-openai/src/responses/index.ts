import type { Adapter } from "@fullstop/core";
import {
  type AdapterOptions,
  type AdapterSpec,
  checkAdapterOptions,
  commonKinds,
  fieldsOf,
  type OptionKinds,
  readSdkReply,
  refuseCap,
  sdkAdapter,
  trueOrFalse,
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
import { encodeResponsesRequest, type ResponsesParams } from "./encode.ts";
import { parseResponses, type ResponsesEvent } from "./events.ts";
import { hostRulesOf } from "./hosts.ts";
import { ceilingOf } from "./models.ts";
import {
  type ResponsesReplyHost,
  type ResponsesReplyOptions,
  responsesReplySpec,
} from "./reply.ts";

/**
 * The part of a client that is used: the SDK's own, its `AzureOpenAI`, or any object of this shape.
 */
export interface ResponsesClient {
  readonly responses: {
    create(
      params: OpenAI.Responses.ResponseCreateParams,
      options: RequestOptions,
    ): PromiseLike<unknown>;
  };
}

/** Options of every host of the protocol. */
export interface ResponsesOptions
  extends AdapterOptions<ResponsesClient, ResponsesParams>,
    ResponsesReplyOptions {
  /**
   * Output caps in tokens, reasoning included. A cap is sent only if the request or `default` names
   * one.
   */
  readonly maxTokens?: Adapter["maxTokens"] | undefined;
}

/** A host of the protocol. */
export interface ResponsesHost
  extends ResponsesReplyHost,
    HostClient,
    Pick<AdapterSpec<ResponsesEvent>, "outputFormat"> {}

/**
 * Creates an adapter for a host of the Responses API.
 * @throws TypeError if `params` holds the output cap.
 */
export function responsesAdapter(host: ResponsesHost, options: ResponsesOptions): Adapter {
  const { model, about, clientOptions } = host;
  const { params, stream = true, maxTokens = {} } = options;
  refuseCap(params, ["max_output_tokens"]);
  const rules = hostRulesOf(addressOf(options));
  return sdkAdapter<ResponsesClient, Sdk, ResponsesEvent>(options, {
    ...responsesReplySpec(host, options, rules),
    callIds: { maxLength: 64, allowed: /^[a-zA-Z0-9_-]+$/ },
    maxTokens: {
      ...maxTokens,
      ceiling: maxTokens.ceiling ?? Math.max(maxTokens.default ?? 0, ceilingOf(model)),
    },
    refuseReference: () => undefined,
    outputFormat: rules.outputFormat ?? host.outputFormat,
    sdk: openaiSdk(clientOptions),
    endpoint: () => ({ ...about }),
    send: async ({ responses }, request, signal) => {
      const body = encodeResponsesRequest(request, { model, params, rules });
      return readSdkReply(responses.create({ ...body, stream }, requestOptions(signal, options)), {
        parse: parseResponses,
      });
    },
  });
}

/** The address of the host. A client of the SDK has its own. */
const addressOf = ({ client, baseURL }: ResponsesOptions): unknown =>
  client === undefined ? baseURL : fieldsOf(client)["baseURL"];

/**
 * `baseURL` defaults to `https://api.openai.com/v1`; the environment does not change it. Without
 * `apiKey` the SDK reads `OPENAI_API_KEY`.
 */
export type OpenAIOptions = ResponsesOptions;

const optionKinds: OptionKinds<Required<OpenAIOptions>> = {
  ...commonKinds,
  runsCustomTools: trueOrFalse,
};

/**
 * OpenAI over Responses, through the vendor's SDK.
 * https://developers.openai.com/api/reference/resources/responses/create
 * @throws TypeError or RangeError for options that cannot work. The message names the option.
 */
export function openai(model: string, options: OpenAIOptions = {}): Adapter {
  checkAdapterOptions(options, optionKinds, "openai");
  return responsesAdapter(
    {
      provider: "openai",
      about,
      model,
      outputFormat: openaiOutputFormat(model),
      clientOptions: () => clientOptions(options),
    },
    options,
  );
}
