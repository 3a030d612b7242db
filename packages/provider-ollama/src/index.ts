import { type Adapter, type Endpoint, ProviderError, type TurnRequest } from "@fullstop/core";
import {
  checkAdapterOptions,
  commonKinds,
  defineAdapter,
  environment,
  formatOption,
  ndjson,
  type OutputFormatOption,
  refuseCap,
  withEndpoint,
} from "@fullstop/core/adapter";
import { encode, type OllamaParams } from "./encode.ts";
import { hostURL } from "./host.ts";
import { type OllamaEvent, type OllamaReplyOptions, ollamaReply } from "./reply.ts";
import { explainFailure } from "./thrown.ts";

export type { OllamaModelOptions, OllamaParams } from "./encode.ts";
export type { OllamaCall, OllamaEvent, OllamaReplyOptions } from "./reply.ts";

/**
 * `baseURL` is the value of OLLAMA_HOST by default, or `http://127.0.0.1:11434`. A server of your own
 * needs no `apiKey`. For `https://ollama.com` it is the value of OLLAMA_API_KEY by default.
 */
export interface OllamaOptions extends Endpoint, OllamaReplyOptions {
  /** Parameters of `/api/chat`, sent with every request. The request's own values win. */
  readonly params?: OllamaParams | undefined;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /**
   * Output caps in tokens, sent as `options.num_predict`. Without a cap a reply ends where the
   * context window ends.
   */
  readonly maxTokens?: Adapter["maxTokens"] | undefined;
  /** `false` requests the reply in one piece. */
  readonly stream?: boolean | undefined;
  /**
   * When `format` takes the schema of an object. The default is `"without-tools"`: a format keeps
   * the model from calling a tool.
   */
  readonly outputFormat?: OutputFormatOption | undefined;
}

const { client: _, ...optionKinds } = commonKinds;

/**
 * Ollama's own API, `/api/chat`. https://github.com/ollama/ollama/blob/main/docs/api.md
 * @throws TypeError or RangeError for options that cannot work. The message names the option.
 */
export function ollama(model: string, options: OllamaOptions = {}): Adapter {
  checkAdapterOptions(options, optionKinds, "ollama");
  const { params, maxTokens, stream = true, fetch = globalThis.fetch } = options;
  refuseCap({ "options.num_predict": params?.options?.["num_predict"] }, ["options.num_predict"]);
  const endpoint = readEndpoint(options);
  const adapter = defineAdapter<OllamaEvent>({
    ...ollamaReply(model, options),
    ...(maxTokens && { maxTokens }),
    ...formatOption(options.outputFormat, "without-tools"),
    refuseReference: () => "Ollama takes images only as bytes",
    open: async (request, signal) => {
      refuseStopSequences(request, params);
      return fetch(`${endpoint.baseURL}/api/chat`, {
        method: "POST",
        headers: headersOf(endpoint),
        body: JSON.stringify(encode(request, { model, stream, params })),
        signal,
      })
        .then((response) => ndjson<OllamaEvent>(response))
        .catch((thrown: unknown) => explainFailure(thrown, { model, baseURL: endpoint.baseURL }));
    },
  });
  return withEndpoint(adapter, () => ({ ...options, ...endpoint, name: "Ollama" }));
}

/** Version 0.17.4 reports a finished reply if a stop sequence cuts a call behind another. */
function refuseStopSequences({ tools = [], toolChoice }: TurnRequest, params?: OllamaParams): void {
  const { stop } = params?.options ?? {};
  if (tools.length === 0 || toolChoice === "none" || stop === undefined || stop.length === 0)
    return;
  throw new ProviderError(
    "If a stop sequence cuts a reply, Ollama reports it as finished, and the calls before the cut would run. Leave out `params.options.stop`, or set it only on an adapter whose requests have no tools.",
    { kind: "invalid-request" },
  );
}

type KnownAddress = Pick<OllamaOptions, "headers" | "apiKey"> & { readonly baseURL: string };

/** The key of ollama.com is not sent to another server. */
function readEndpoint({ baseURL, apiKey, headers }: OllamaOptions): KnownAddress {
  const { OLLAMA_HOST = "", OLLAMA_API_KEY } = environment();
  const url = (baseURL ?? hostURL(OLLAMA_HOST)).replace(/(?<!\/)\/+$/, "");
  const ambient = /^https:\/\/ollama\.com(:443)?(\/|$)/.test(url) ? OLLAMA_API_KEY : undefined;
  return { baseURL: url, apiKey: apiKey ?? ambient, headers };
}

const headersOf = ({ apiKey, headers }: KnownAddress): Record<string, string> => ({
  "content-type": "application/json",
  ...(apiKey !== undefined && apiKey !== "" && { authorization: `Bearer ${apiKey}` }),
  ...headers,
});
