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
import { fieldsOf } from "../shared/fields.ts";
import { parseResponses, type ResponsesEvent } from "./decode/events.ts";
import { encodeResponsesRequest, type ResponsesParams } from "./encode/index.ts";
import { hostRulesOf } from "./host-rules.ts";
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
export interface ResponsesOptions extends Endpoint, ResponsesReplyOptions {
  /**
   * Your own client, with its own endpoint and credentials: `baseURL`, `apiKey` and `fetch` are
   * then ignored.
   */
  readonly client?: ResponsesClient | undefined;
  /**
   * Parameters of the API, sent with every request. A field of the request takes precedence. The
   * output cap belongs in `maxTokens`.
   */
  readonly params?: ResponsesParams | undefined;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /**
   * Output caps in tokens, reasoning included. A cap is sent only if the request or `default` names
   * one.
   */
  readonly maxTokens?: Adapter["maxTokens"] | undefined;
  /** `false` requests a reply that is not streamed. */
  readonly stream?: boolean | undefined;
  /**
   * When the host takes `text.format` with a JSON Schema. `"never"`: an object is requested as the
   * input of a tool. The default is `"always"` for the models of OpenAI that take it.
   */
  readonly outputFormat?: OutputFormatOption | undefined;
}

/** A host of the protocol. */
export interface ResponsesHost
  extends ResponsesReplyHost,
    Pick<AdapterSpec<ResponsesEvent>, "outputFormat"> {
  /** Called for the first request, unless the options hold a client. */
  clientOptions(): ClientOptions;
  /** For the error message if the key is missing. */
  readonly about?: Pick<KnownEndpoint, "name" | "keyVariable"> | undefined;
}

/**
 * Creates an adapter for a host of the Responses API.
 * @throws TypeError if `params` holds the output cap.
 */
export function responsesAdapter(host: ResponsesHost, options: ResponsesOptions): Adapter {
  const { model, about, clientOptions } = host;
  const { params, stream = true, maxTokens = {} } = options;
  refuseCap(params, ["max_output_tokens"]);
  const rules = hostRulesOf(addressOf(options));
  const client = openaiClient<ResponsesClient>(options.client, clientOptions);
  const adapter = defineAdapter<ResponsesEvent>({
    ...responsesReplySpec(host, options, rules),
    callIds: { maxLength: 64, allowed: /^[a-zA-Z0-9_-]+$/ },
    maxTokens: {
      ...maxTokens,
      ceiling: maxTokens.ceiling ?? Math.max(maxTokens.default ?? 0, ceilingOf(model)),
    },
    refuseReference: () => undefined,
    ...formatOption(options.outputFormat, rules.outputFormat ?? host.outputFormat),
    open: async (request, signal) => {
      const body = encodeResponsesRequest(request, { model, params, rules });
      const { responses } = await client.get(signal);
      return readSdkReply(responses.create({ ...body, stream }, requestOptions(signal, options)), {
        parse: parseResponses,
      });
    },
  });
  return withEndpoint(adapter, () => ({ ...options, ...about, client: client.known }));
}

/** The address of the host. A client of the SDK has its own. */
const addressOf = ({ client, baseURL }: ResponsesOptions): unknown =>
  client === undefined ? baseURL : fieldsOf(client)["baseURL"];
