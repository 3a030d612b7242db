import type { Endpoint } from "@fullstop/core";
import { environment, type KnownEndpoint, type SdkSource } from "@fullstop/core/adapter";
import type { ClientOptions, OpenAI } from "openai";

/** What a client receives with the parameters of each request. */
export interface RequestOptions {
  readonly signal: AbortSignal;
  readonly maxRetries: 0;
  readonly headers?: Readonly<Record<string, string>>;
  /** Milliseconds until the response headers. */
  readonly timeout?: number;
}

const defaultBaseURL = "https://api.openai.com/v1";

/** What errors and telemetry say about a host. `baseURL` is its default. */
type About = Pick<KnownEndpoint, "name" | "keyVariable" | "baseURL">;
/** How a host is reached. */
export interface HostClient {
  /** Called for the first request, unless the options hold a client. */
  clientOptions(): ClientOptions;
  readonly about?: About | undefined;
}
export const about: About = {
  name: "OpenAI",
  keyVariable: "OPENAI_API_KEY",
  baseURL: defaultBaseURL,
};

/** What the SDK would send to OpenAI, and what must not reach other hosts. */
type Credentials = Pick<ClientOptions, "organization" | "project" | "defaultHeaders">;

/** Options of the SDK's client. The environment never sets its URL. */
export const clientOptions = (
  { baseURL = defaultBaseURL, apiKey, fetch }: Endpoint,
  credentials: Credentials = {},
): ClientOptions => ({
  ...credentials,
  ...(apiKey !== undefined && { apiKey }),
  ...(fetch && { fetch }),
  baseURL,
  maxRetries: 0,
  logLevel: "off",
});

export type Sdk = typeof import("openai");

/** How the SDK makes a client. `optionsOf` is called for the first request. */
export const openaiSdk = (optionsOf: () => ClientOptions): SdkSource<OpenAI, Sdk> => ({
  name: "openai",
  load: () => import("openai"),
  create: (sdk) => new sdk.OpenAI(optionsOf()),
});

/** A reply that is not streamed sends its headers at its end; `readTurn` limits the wait. */
const unstreamedTimeoutMs = 3_600_000;

interface SendOptions {
  readonly headers?: RequestOptions["headers"] | undefined;
  readonly stream?: boolean | undefined;
}

/** No retries, and no time limit except that of `readTurn`. */
export const requestOptions = (
  signal: AbortSignal,
  { headers, stream = true }: SendOptions,
): RequestOptions => ({
  signal,
  maxRetries: 0,
  ...(headers && { headers }),
  ...(!stream && { timeout: unstreamedTimeoutMs }),
});

/** A host of one of these protocols that is not OpenAI. */
export interface Host {
  /** For error messages. */
  readonly name: string;
  readonly baseURL?: string | undefined;
  /**
   * The environment variable that holds the key. Without it, the host accepts requests without a
   * key.
   */
  readonly keyVariable?: string | undefined;
}

/**
 * Options of the SDK's client for a host that is not OpenAI. What the SDK reads from the environment
 * for OpenAI (URL, key, organization, project, headers) is not sent.
 * @throws TypeError if the URL or the key is missing.
 */
export function hostClientOptions(
  { name, baseURL: preset, keyVariable }: Host,
  endpoint: Endpoint,
): ClientOptions {
  const { baseURL = preset } = endpoint;
  if (baseURL === undefined) throw new TypeError(`"${name}" has no default URL: pass \`baseURL\`.`);
  const apiKey = endpoint.apiKey ?? keyFromEnvironment(name, keyVariable);
  if (apiKey === "")
    throw new TypeError(
      `The API key for "${name}" is empty: ${keyVariable === undefined ? 'pass `apiKey: "none"` if the host needs no key' : `set ${keyVariable}, and do not pass \`apiKey\``}.`,
    );
  return clientOptions(
    { ...endpoint, baseURL, apiKey },
    { organization: null, project: null, defaultHeaders: hostHeaders(apiKey) },
  );
}

function keyFromEnvironment(name: string, variable: string | undefined): string {
  if (variable === undefined) return "none";
  const key = environment()[variable];
  if (key === undefined || key === "")
    throw new TypeError(`No API key for "${name}": pass \`apiKey\`, or set ${variable}.`);
  return key;
}

/** Removes each header of `OPENAI_CUSTOM_HEADERS` by its name: the SDK sends them to every host. */
function hostHeaders(apiKey: string): Record<string, string | null> {
  const names = (environment()["OPENAI_CUSTOM_HEADERS"] ?? "")
    .split("\n")
    .map((line) => line.slice(0, Math.max(0, line.indexOf(":"))).trim());
  const removed = names.filter((name) => name !== "").map((name) => [name.toLowerCase(), null]);
  return { ...Object.fromEntries(removed), authorization: `Bearer ${apiKey}` };
}
