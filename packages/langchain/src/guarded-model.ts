import { type Fields, fieldsOf, isFields } from "@fullstop/core/adapter";
import type { Fetch } from "@fullstop/guard";
import { fetchOf, isGoogleClient, withFetch } from "./google-client.ts";

/** Guards a `fetch`. Those with the same `owner` share a guard. */
export type Wrap = (fetch: Fetch, owner?: object) => Fetch;

/**
 * Where a model of LangChain has its client: the name of a field, and the fields of a model with a
 * guarded one. Clients that were made before are left out.
 */
const places: Readonly<Record<string, (model: Fields, wrap: Wrap) => Fields | undefined>> = {
  /** `model.withConfig(…)` */
  bound: ({ bound }, wrap) => ({ bound: guardedModel(bound, wrap) }),
  /** `@langchain/openai`, and the packages whose models extend its own. */
  clientConfig({ clientConfig, fields, completions, responses }, wrap) {
    const inner = {
      ...(isFields(completions) && { completions: guardedModel(completions, wrap) }),
      ...(isFields(responses) && { responses: guardedModel(responses, wrap) }),
    };
    return {
      ...inner,
      clientConfig: withGuardedFetch(clientConfig, wrap),
      client: undefined,
      // `withConfig` makes a new model of these.
      ...(isFields(fields) && { fields: { ...fields, ...inner, cache: undefined } }),
    };
  },
  /** `@langchain/anthropic`. The options of `@langchain/aws` have the same name, and no `fetch`. */
  clientOptions({ clientOptions, createClient }, wrap) {
    if (typeof createClient !== "function") return undefined;
    return {
      clientOptions: withGuardedFetch(clientOptions, wrap),
      batchClient: undefined,
      streamingClient: undefined,
    };
  },
  /** `@langchain/google` */
  apiClient({ apiClient }, wrap) {
    if (!hasFetch(apiClient)) return undefined;
    const send: Fetch = (input, init) => apiClient.fetch(new Request(input, init));
    return { apiClient: Object.assign(Object.create(apiClient), { fetch: wrap(send, apiClient) }) };
  },
  /** `@langchain/google-genai` */
  client({ client, baseUrl = "https://generativelanguage.googleapis.com" }, wrap) {
    if (!isGoogleClient(client)) return undefined;
    return { client: withFetch(client, String(baseUrl), wrap(fetchOf(client), client)) };
  },
};

function withGuardedFetch(options: unknown, wrap: Wrap): Fields {
  const { fetch = globalThis.fetch } = fieldsOf(options) as { readonly fetch?: Fetch };
  return { ...fieldsOf(options), fetch: wrap(fetch) };
}

const hasFetch = (value: unknown): value is { fetch(request: Request): Promise<Response> } =>
  isFields(value) && typeof value["fetch"] === "function";

/**
 * A copy of a model whose replies are guarded. It has no cache, because a cache may have replies that
 * were not.
 *
 * @throws TypeError if the client of the model is not known.
 */
export function guardedModel<Model>(model: Model, wrap: Wrap): Model {
  const given = fieldsOf(model);
  const place = Object.keys(places).find((name) => name in given);
  const guarded = place === undefined ? undefined : places[place]?.(given, wrap);
  if (guarded === undefined) throw new TypeError(unknownModel(given));
  return copyWith(model, { cache: undefined, ...guarded });
}

/** A copy of a model with other fields. */
export function copyWith<Model>(model: Model, fields: Fields): Model {
  const copy: Model = Object.create(Object.getPrototypeOf(model), {
    ...Object.getOwnPropertyDescriptors(fieldsOf(model)),
  });
  return Object.assign(copy as Model & object, fields);
}

const unknownModel = (model: Fields): string =>
  `finishedCalls() does not know how ${nameOf(model)} sends requests, so it cannot see whether a reply is finished. Use a model of @langchain/openai, @langchain/anthropic, @langchain/google or @langchain/google-genai.`;
const nameOf = (model: object): string => model.constructor.name;
