import type { Adapter, Endpoint, StopTable } from "@fullstop/core";
import {
  type AdapterSpec,
  defineAdapter,
  type ErrorTable,
  type KnownEndpoint,
  refuseCap,
  withEndpoint,
} from "@fullstop/core/adapter";
import type OpenAI from "openai";
import { type RequestOptions, read, requestOptions } from "../client.ts";
import { createDecoder } from "./decode.ts";
import { type ChatParams, encode } from "./encode.ts";
import { errors } from "./errors.ts";
import { type ChatEvent, done, parseChat } from "./events.ts";
import { nativeStops } from "./native.ts";
import type { Quirks } from "./quirks.ts";
import { capNames, readSent } from "./sent.ts";
import { stops } from "./stops.ts";

/** What is used of a client: the SDK's own, its `AzureOpenAI`, or anything of this shape. */
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

/** Options that every host of the protocol shares. */
export interface ChatOptions extends Endpoint {
  /** A client of yours, with its own endpoint and credentials; `baseURL`, `apiKey` and `fetch` are not looked at then. */
  readonly client?: ChatClient | undefined;
  /** Parameters of the API that go with every request. The output cap is none of them: see `maxTokens`. */
  readonly params?: ChatParams | undefined;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Words of a host beside those that are listed. */
  readonly stops?: StopTable | undefined;
  /** Output caps in tokens: the one sent where a request names none, and the highest that the model takes. */
  readonly maxTokens?: Adapter["maxTokens"] | undefined;
  /** `false` asks for the reply in one piece. */
  readonly stream?: boolean | undefined;
  /**
   * `true` for a host or a gateway that mislabels truncated replies: calls then run only if a usage below the cap proves that the reply was not cut,
   * so give `maxTokens` too. `false` for one that is honest, whatever is known of its kind.
   */
  readonly mislabelsTruncation?: boolean | undefined;
}

/** A host of the protocol, and what it does otherwise. */
export interface ChatHost
  extends Pick<
    AdapterSpec<ChatEvent>,
    "provider" | "model" | "callIds" | "mislabelsTruncation" | "missingEndHint"
  > {
  readonly quirks: Quirks;
  readonly stops?: StopTable | undefined;
  readonly errors?: ErrorTable | undefined;
  /** Makes the client, at the first request, where the options bring none. */
  connect(): ChatClient;
  /** What a person is told where there is no key. */
  readonly about?: Pick<KnownEndpoint, "name" | "keyVariable"> | undefined;
}

/**
 * An adapter for a host of Chat Completions.
 * @throws TypeError if `params` holds the output cap.
 */
export function chatAdapter(
  { quirks, connect, about, ...host }: ChatHost,
  options: ChatOptions,
): Adapter {
  const {
    params,
    maxTokens,
    stream = true,
    mislabelsTruncation = host.mislabelsTruncation,
  } = options;
  refuseCap(params, capNames);
  let made: ChatClient | undefined;
  const client = (): ChatClient => {
    made ??= options.client ?? connect();
    return made;
  };
  const codes = { ...errors, ...host.errors };
  const adapter = defineAdapter<ChatEvent>({
    ...host,
    protocol: "openai-chat",
    stops: {
      ...stops,
      ...nativeStops,
      ...(quirks.doneEnds && { [done]: "stop" }),
      ...host.stops,
      ...options.stops,
    },
    errors: codes,
    toolInputEnd: "implicit",
    ...(maxTokens && { maxTokens }),
    ...(mislabelsTruncation !== undefined && { mislabelsTruncation: mislabelsTruncation }),
    readSent,
    open: async (request, signal) => {
      const body = encode(request, { model: host.model, stream, quirks, params });
      return read(
        client().chat.completions.create(body, requestOptions(signal, options)),
        parseChat,
      );
    },
    decoder: (emit) => createDecoder(emit, { quirks, errors: codes }),
  });
  return withEndpoint(adapter, () => ({ ...options, ...about, client: made }));
}
