import type { Endpoint } from "../contract/adapter.ts";

/** How an adapter reaches its provider, as far as errors have to do with it. */
export interface KnownEndpoint extends Endpoint {
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The vendor's client. Its key, its tokens and its headers are secrets too, wherever it has them from. */
  readonly client?: unknown;
  /** Other keys and tokens that no error may hold, such as one that was exchanged for the key. */
  readonly secrets?: readonly (string | undefined)[] | undefined;
  /** The provider's name for people, such as `Anthropic`. */
  readonly name?: string | undefined;
  /** The environment variable that holds the key. */
  readonly keyVariable?: string | undefined;
}

/** Headers whose values are known to be no secret: an error that speaks of one is to name it. */
const publicHeaders: ReadonlySet<string> = new Set([
  ...["accept", "accept-language", "content-type", "origin", "referer", "user-agent"],
  ...["anthropic-beta", "anthropic-version", "openai-beta", "http-referer", "x-title"],
  ...[
    "copilot-integration-id",
    "editor-version",
    "editor-plugin-version",
    "openai-intent",
    "x-initiator",
  ],
]);
const publicParameters: ReadonlySet<string> = new Set(["api-version", "alt"]);

/** The texts that no error of this endpoint may hold. */
export function secretsOf(endpoint: KnownEndpoint): readonly string[] {
  const baseURL = baseURLOf(endpoint);
  const ofClient = fieldsOf(fieldsOf(endpoint.client)._options).defaultHeaders;
  const ofHeaders = [endpoint.headers, ofClient].flatMap(secretsOfHeaders);
  return [
    ...keysOf(endpoint),
    ...ofHeaders,
    ...(baseURL === undefined ? [] : secretsOfURL(baseURL)),
  ];
}

/** The keys and tokens that are known of an endpoint. */
export function keysOf({ apiKey, client, secrets = [] }: KnownEndpoint): readonly string[] {
  const own = fieldsOf(client);
  const keys = [apiKey, ...secrets, own.apiKey, own.authToken, own.adminAPIKey];
  return keys.filter((key) => typeof key === "string" && key !== "") as readonly string[];
}

/** A client of the caller's goes where it was made for. */
export function baseURLOf({ client, baseURL }: KnownEndpoint): string | undefined {
  const own = fieldsOf(client).baseURL;
  return typeof own === "string" ? own : baseURL;
}

/** What the clients of OpenAI, Anthropic and Google have in common, where they have it. */
type Field = "apiKey" | "authToken" | "adminAPIKey" | "baseURL" | "_options" | "defaultHeaders";
const fieldsOf = (value: unknown): Readonly<Partial<Record<Field, unknown>>> =>
  typeof value === "object" && value !== null ? value : {};

/** `Headers`, a list of pairs or a plain object. */
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

/** A URL that cannot be read is a secret as a whole: where its password stands, nobody knows. */
function secretsOfURL(baseURL: string): readonly string[] {
  const url = readURL(baseURL);
  if (url === undefined) return [baseURL];
  const { username, password, searchParams } = url;
  const parameters = [...searchParams].flatMap(([name, value]) =>
    publicParameters.has(name) ? [] : [value],
  );
  const user = [username, password].filter((part) => part !== "");
  // Behind a colon, a short password is looked for as well.
  return [
    ...user,
    ...user.map(decoded),
    ...(password === "" ? [] : [`${username}:${password}`, `:${password}@`]),
    ...parameters,
  ];
}

/** The URL, if it is one. */
export function readURL(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
