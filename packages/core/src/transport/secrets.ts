import type { Endpoint } from "../contract/adapter.ts";

/** What is known about the endpoint of an adapter. */
export interface KnownEndpoint extends Endpoint {
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The vendor's client. Its keys, tokens and headers are secrets too. */
  readonly client?: unknown;
  /**
   * More keys and tokens that no error may contain, such as a token that was exchanged for the key.
   */
  readonly secrets?: readonly (string | undefined)[] | undefined;
  /** The provider's name for people, such as `Anthropic`. */
  readonly name?: string | undefined;
  /** The environment variable that holds the key. */
  readonly keyVariable?: string | undefined;
}

/** Headers whose values are not secret. An error may name them. */
const publicHeaders: ReadonlySet<string> = new Set([
  "accept",
  "accept-language",
  "content-type",
  "origin",
  "referer",
  "user-agent",
  "anthropic-beta",
  "anthropic-version",
  "openai-beta",
  "http-referer",
  "x-title",
  "copilot-integration-id",
  "editor-version",
  "editor-plugin-version",
  "openai-intent",
  "x-initiator",
]);
const publicParameters: ReadonlySet<string> = new Set(["api-version", "alt"]);

export function secretsOf(endpoint: KnownEndpoint): readonly string[] {
  const baseURL = baseURLOf(endpoint);
  const client = secretFieldsOf(endpoint.client);
  const { defaultHeaders } = secretFieldsOf(client._options);
  const ofHeaders = [endpoint.headers, defaultHeaders, client.headers].flatMap(secretsOfHeaders);
  return [
    ...keysOf(endpoint),
    ...ofHeaders,
    ...(baseURL === undefined ? [] : secretsOfURL(baseURL)),
  ];
}

export function keysOf({ apiKey, client, secrets = [] }: KnownEndpoint): readonly string[] {
  const own = secretFieldsOf(client);
  const keys = [apiKey, ...secrets, own.apiKey, own.authToken, own.adminAPIKey];
  return keys.filter((key) => typeof key === "string" && key !== "") as readonly string[];
}

/** The caller's own client has its own URL. */
export function baseURLOf({ client, baseURL }: KnownEndpoint): string | undefined {
  const own = secretFieldsOf(client).baseURL;
  return typeof own === "string" ? own : baseURL;
}

/** Fields of the clients of OpenAI, Anthropic and Google, and of clients of this project. */
type SecretField =
  | "apiKey"
  | "authToken"
  | "adminAPIKey"
  | "baseURL"
  | "headers"
  | "_options"
  | "defaultHeaders";
const secretFieldsOf = (value: unknown): Readonly<Partial<Record<SecretField, unknown>>> =>
  typeof value === "object" && value !== null ? value : {};

function secretsOfHeaders(headers: unknown): readonly string[] {
  if (typeof headers !== "object" || headers === null) return [];
  const pairs: readonly unknown[] =
    Symbol.iterator in headers ? [...(headers as Iterable<unknown>)] : Object.entries(headers);
  return pairs.flatMap((pair) => {
    const [name, value] = Array.isArray(pair) ? (pair as readonly unknown[]) : [];
    return typeof value === "string" && !publicHeaders.has(String(name).toLowerCase())
      ? [value]
      : [];
  });
}

/** A URL that cannot be parsed is a secret as a whole: it may contain a password anywhere. */
function secretsOfURL(baseURL: string): readonly string[] {
  const url = readURL(baseURL);
  if (url === undefined) return [baseURL];
  const { username, password, searchParams } = url;
  const parameters = [...searchParams].flatMap(([name, value]) =>
    publicParameters.has(name) ? [] : [value],
  );
  const user = [username, password].filter((part) => part !== "");
  // After a colon, a short password is removed as well.
  return [
    ...user,
    ...user.map(decodeUrlPart),
    ...(password === "" ? [] : [`${username}:${password}`, `:${password}@`]),
    ...parameters,
  ];
}

export const readURL = (text: string): URL | undefined =>
  URL.canParse(text) ? new URL(text) : undefined;

/** The text that a part of a URL encodes. A part with a damaged encoding is itself. */
export function decodeUrlPart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
