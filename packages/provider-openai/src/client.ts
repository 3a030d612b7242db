import type { Endpoint } from "@fullstop/core";
import { type SdkClient, sdkClient } from "@fullstop/core/adapter";
import type { ClientOptions, OpenAI } from "openai";

/** What a client receives with the parameters of each request. */
export interface RequestOptions {
  readonly signal: AbortSignal;
  readonly maxRetries: 0;
  readonly headers?: Readonly<Record<string, string>>;
  /** Milliseconds until the response headers. */
  readonly timeout?: number;
}

/** For the error message if the key is missing. */
export const about = { name: "OpenAI", keyVariable: "OPENAI_API_KEY" } as const;

/** What the SDK would send to OpenAI, and what must not reach other hosts. */
export type Credentials = Pick<ClientOptions, "organization" | "project" | "defaultHeaders">;

/** Options of the SDK's client. The environment never sets its URL. */
export const clientOptions = (
  { baseURL = "https://api.openai.com/v1", apiKey, fetch }: Endpoint,
  credentials: Credentials = {},
): ClientOptions => ({
  ...credentials,
  ...(apiKey !== undefined && { apiKey }),
  ...(fetch && { fetch }),
  baseURL,
  maxRetries: 0,
  logLevel: "off",
});

/** The caller's client, or one of the SDK. `optionsOf` is called for the first request. */
export const openaiClient = <Client>(
  given: Client | undefined,
  optionsOf: () => ClientOptions,
): SdkClient<Client | OpenAI> =>
  sdkClient(given, {
    name: "openai",
    load: () => import("openai"),
    create: (sdk): Client | OpenAI => new sdk.OpenAI(optionsOf()),
  });

/**
 * A reply that is not streamed sends its headers when it is complete; `readTurn` limits the wait.
 */
const unstreamedTimeoutMs = 3_600_000;

/** Options that each adapter sets for a request. */
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
