import type { Endpoint } from "./adapter.ts";

/** How an adapter reaches its provider, as far as errors have to do with it. */
export interface KnownEndpoint extends Endpoint {
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Other texts that no error may hold, such as a token that was exchanged for the key. */
  readonly secrets?: readonly (string | null | undefined)[] | undefined;
  /** The provider's name for people, such as `Anthropic`. */
  readonly name?: string | undefined;
  /** The environment variable that holds the key. */
  readonly keyVariable?: string | undefined;
}

/** Headers whose values are known to be no secret: an error that speaks of one is to name it. */
const publicHeaders: ReadonlySet<string> = new Set([
  ...["accept", "accept-language", "content-type", "origin", "referer", "user-agent"],
  ...["anthropic-beta", "anthropic-version", "openai-beta", "http-referer", "x-title"],
  ...["copilot-integration-id", "editor-version", "editor-plugin-version", "openai-intent", "x-initiator"],
]);
const publicParameters: ReadonlySet<string> = new Set(["api-version", "alt"]);

/** The texts that no error of this endpoint may hold. */
export function secretsOf({ apiKey, headers = {}, baseURL, secrets = [] }: KnownEndpoint): readonly string[] {
  const ofHeaders = Object.entries(headers).flatMap(([name, value]) => (publicHeaders.has(name.toLowerCase()) ? [] : [value]));
  const all = [apiKey, ...secrets, ...ofHeaders, ...(baseURL === undefined ? [] : secretsOfURL(baseURL))];
  return all.filter((secret) => typeof secret === "string");
}

/** A URL that cannot be read is a secret as a whole: where its password stands, nobody knows. */
function secretsOfURL(baseURL: string): readonly string[] {
  const url = readURL(baseURL);
  if (url === undefined) return [baseURL];
  const { username, password, searchParams } = url;
  const parameters = [...searchParams].flatMap(([name, value]) => (publicParameters.has(name) ? [] : [value]));
  const user = [username, password].filter((part) => part !== "");
  // Behind a colon, a short password is looked for as well.
  return [...user, ...user.map(decoded), ...(password === "" ? [] : [`${username}:${password}`, `:${password}@`]), ...parameters];
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
