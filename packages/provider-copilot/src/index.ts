import type { Adapter, Endpoint } from "@fullstop/core";
import {
  anyFunction,
  checkAdapterOptions,
  commonKinds,
  type KnownEndpoint,
  type OptionKinds,
  oneOf,
  withEndpoint,
} from "@fullstop/core/adapter";
import { surfaceOf } from "./readers.ts";
import { clientHeaders, requestHeaders, withHeaders } from "./requests.ts";
import { createSession, type Exchange } from "./session.ts";
import { type SurfaceOptions, surfaces } from "./surfaces.ts";

export type { CopilotReplyOptions, Surface } from "./readers.ts";
export type { CopilotToken, Exchange } from "./session.ts";
export type { SurfaceOptions } from "./surfaces.ts";

/** How to reach Copilot, and which of its protocols to use. */
export interface CopilotOptions extends SurfaceOptions, Pick<Endpoint, "baseURL" | "fetch"> {
  /**
   * Exchanges your GitHub token for a Copilot token. Called before the first request, and again one
   * minute before the token expires.
   */
  readonly token: Exchange;
  /**
   * Sent with every request. They replace this package's: `copilot-integration-id`,
   * `editor-version`.
   */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

const { apiKey: _, client: __, ...sharedKinds } = commonKinds;
const optionKinds: OptionKinds<Required<CopilotOptions>> = {
  ...sharedKinds,
  token: anyFunction,
  surface: oneOf("chat", "responses", "messages"),
};

const defaultBaseURL = "https://api.githubcopilot.com";

/**
 * GitHub Copilot, over the protocol of the model. An error that `token` throws is the error of the
 * turn.
 * @throws TypeError or RangeError for options that cannot work. The message names the option.
 */
export function copilot(model: string, options: CopilotOptions): Adapter {
  checkAdapterOptions(options, optionKinds, "copilot");
  const {
    token,
    surface = surfaceOf(model),
    headers,
    fetch = globalThis.fetch,
    baseURL,
    ...surfaceOptions
  } = options;
  const session = createSession(token);
  let known: KnownEndpoint = { headers, baseURL };
  const adapterAt = (endpoint: Endpoint): Adapter =>
    surfaces[surface](model, endpoint, surfaceOptions);
  const open: Adapter["open"] = async (request, signal) => {
    known = { headers, secrets: known.secrets };
    const { token: apiKey, baseURL: accountURL = defaultBaseURL } = await session();
    const requestURL = baseURL ?? accountURL;
    known = {
      headers,
      baseURL: requestURL,
      fetch: options.fetch,
      secrets: [apiKey, ...(known.secrets ?? []).slice(0, 1)],
    };
    const sentHeaders = {
      ...clientHeaders,
      ...requestHeaders(request),
      ...headers,
      authorization: `Bearer ${apiKey}`,
    };
    const endpoint = { baseURL: requestURL, apiKey, fetch: withHeaders(fetch, sentHeaders) };
    return adapterAt(endpoint).open(request, signal);
  };
  return withEndpoint({ ...adapterAt({}), refuseReference, open }, () => known);
}

/** It refuses URLs (caozhiyuan/copilot-api#258), and has no uploaded files. */
const refuseReference: NonNullable<Adapter["refuseReference"]> = () =>
  "Copilot takes images and files only as bytes";
