import type { Adapter, Endpoint, StopTable } from "@fullstop/core";
import {
  defineAdapter,
  type EventBatches,
  refuseCap,
  sse,
  withEndpoint,
} from "@fullstop/core/adapter";
import { type GenerateContentParameters, GoogleGenAI, type HttpOptions } from "@google/genai";
import { createDecoder, type FinishReasonOn, type GoogleEvent } from "./decode.ts";
import { encode, type GoogleParams } from "./encode.ts";
import { errors } from "./errors.ts";
import { ceilingOf } from "./models.ts";
import { readSent } from "./sent.ts";
import { stops } from "./stops.ts";
import { explained } from "./thrown.ts";

export type { FinishReasonOn, GoogleEvent } from "./decode.ts";
export type { GoogleParams } from "./encode.ts";
export { errors } from "./errors.ts";
export { stops } from "./stops.ts";

/** What is used of a client: the SDK's own, for the Developer API or for Vertex AI, or anything of this shape. */
export interface GoogleClient {
  readonly vertexai?: boolean;
  readonly models: {
    generateContentStream(params: GenerateContentParameters): PromiseLike<unknown>;
    generateContent(params: GenerateContentParameters): PromiseLike<unknown>;
  };
}

/** `baseURL` is `https://generativelanguage.googleapis.com` unless given, whatever the environment says; without `apiKey` the SDK looks for credentials. */
export interface GoogleOptions extends Endpoint {
  /** A client of yours, with its own endpoint and credentials: `new GoogleGenAI({ vertexai: true, project, location })`. `baseURL`, `apiKey` and `fetch` are not looked at then. */
  readonly client?: GoogleClient | undefined;
  /** Parameters of the provider's API that go with every request. What a request itself says counts more. */
  readonly params?: GoogleParams | undefined;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Words of a host beside the vendor's. */
  readonly stops?: StopTable | undefined;
  /** Output caps in tokens: 32,000 unless a request names one, up to 65,536 (8,192 before Gemini 2.5). */
  readonly maxTokens?: Adapter["maxTokens"] | undefined;
  /** `"every-chunk"` for hosts that put a finish reason on every chunk with content. The last one then counts, and a reply that is cut between two chunks reads as whole. */
  readonly finishReason?: FinishReasonOn | undefined;
  /** `true` for routes that report a reply as finished although the output cap cut it. A call then runs only if the usage is below the cap. */
  readonly mislabelsTruncation?: boolean | undefined;
  /** `false` asks for the reply in one piece. */
  readonly stream?: boolean | undefined;
}

const defaultCap = 32_000;
const missingEndHint =
  'If this host puts a finish reason on every chunk, set `finishReason: "every-chunk"` in `google()`.';

/** Gemini over generateContent, through the vendor's SDK. https://ai.google.dev/api/generate-content */
export function google(model: string, options: GoogleOptions = {}): Adapter {
  const { params, headers, stream = true, finishReason } = options;
  refuseCap(params, ["maxOutputTokens"]);
  let made: GoogleClient | undefined;
  const client = (): GoogleClient => {
    made ??= options.client ?? createClient(options);
    return made;
  };
  const ceiling =
    options.maxTokens?.ceiling ?? Math.max(options.maxTokens?.default ?? 0, ceilingOf(model));
  const cap = options.maxTokens?.default ?? Math.min(defaultCap, ceiling);
  // Each of the two routes refuses the other's signatures.
  const protocol = options.client?.vertexai ? "vertex-generate-content" : "gemini-generate-content";
  const origin = { provider: "google", protocol, model };
  const adapter = defineAdapter<GoogleEvent>({
    ...origin,
    stops: { ...stops, ...options.stops },
    errors,
    toolInputEnd: "explicit",
    maxTokens: { default: cap, ceiling },
    readSent,
    ...(options.mislabelsTruncation && { mislabelsTruncation: true }),
    missingEndHint: missingEndHint,
    open: async (request, abortSignal) => {
      const { config, ...rest } = encode(request, { ...origin, cap, params });
      const { models } = client();
      const fetch =
        options.client === undefined
          ? (options.fetch ?? globalThis.fetch)
          : fetchOf(options.client);
      const ask = (http: HttpOptions): PromiseLike<unknown> => {
        const httpOptions: HttpOptions = {
          ...http,
          retryOptions: { attempts: 1 },
          ...(headers && { headers: { ...headers } }),
        };
        const asked: GenerateContentParameters = {
          ...rest,
          config: { ...config, abortSignal, httpOptions },
        };
        return stream ? models.generateContentStream(asked) : models.generateContent(asked);
      };
      return read(ask, fetch).catch(explained);
    },
    decoder: (emit) => createDecoder(emit, finishReason),
  });
  const about = { name: "Gemini", keyVariable: "GEMINI_API_KEY" };
  const baseURL = options.client === undefined ? (options.baseURL ?? host) : undefined;
  return withEndpoint(adapter, () => ({ ...options, ...about, baseURL, client: made }));
}

const host = "https://generativelanguage.googleapis.com";

function createClient({ baseURL = host, apiKey, fetch }: GoogleOptions): GoogleGenAI {
  const httpOptions = { baseUrl: baseURL, apiVersion: "v1beta", ...(fetch && { fetch }) };
  return new GoogleGenAI({ vertexai: false, httpOptions, ...(apiKey !== undefined && { apiKey }) });
}

type Fetch = NonNullable<HttpOptions["fetch"]>;
type Ask = (http: HttpOptions) => PromiseLike<unknown>;

/** What a client of the SDK fetches with. Nothing where that cannot be known: then it is not replaced either. */
function fetchOf(client: GoogleClient): Fetch | undefined {
  const { apiClient } = client as { readonly apiClient?: { getFetch?(): Fetch | undefined } };
  return apiClient?.getFetch === undefined ? undefined : (apiClient.getFetch() ?? globalThis.fetch);
}

/**
 * The response to the request that the SDK makes. The SDK itself gets an empty one: its own reader drops errors, `finishMessage` and the head,
 * breaks on some framings and ends silently when cut.
 */
async function read(ask: Ask, fetch: Fetch | undefined): Promise<EventBatches<GoogleEvent>> {
  if (fetch === undefined) return batches(await ask({}));
  return new Promise((resolve, reject) => {
    const taken: Fetch = async (...request) => {
      const response = await fetch(...request);
      resolve(sse<GoogleEvent>(response));
      return Response.json({});
    };
    ask({ fetch: taken }).then((reply) => resolve(batches(reply)), reject);
  });
}

/** What a client read by itself: a stream of chunks, or a whole reply. */
async function* batches(reply: unknown): AsyncGenerator<readonly GoogleEvent[]> {
  if (!isStream(reply)) yield [reply as GoogleEvent];
  else for await (const event of reply) yield [event];
}
const isStream = (reply: unknown): reply is AsyncIterable<GoogleEvent> =>
  typeof reply === "object" && reply !== null && Symbol.asyncIterator in reply;
