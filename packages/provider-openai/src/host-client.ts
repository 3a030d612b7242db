import type { Endpoint } from "@fullstop/core";
import type { ClientOptions } from "openai";
import { clientOptions } from "./client.ts";

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

type Environment = Readonly<Record<string, string | undefined>>;
const environment = (): Environment =>
  (globalThis as { readonly process?: { readonly env?: Environment } }).process?.env ?? {};

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
