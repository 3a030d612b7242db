import type { Endpoint } from "@fullstop/core";
import type OpenAI from "openai";
import { createClient } from "./client.ts";

/** A host of one of these protocols that is not OpenAI: its name for people, its URL, and the environment variable that holds its key. */
export interface Host {
  readonly name: string;
  readonly baseURL?: string | undefined;
  /** A host without one takes requests without a key. */
  readonly keyVariable?: string | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;
const environment = (): Environment =>
  (globalThis as { readonly process?: { readonly env?: Environment } }).process?.env ?? {};

/**
 * The SDK's client without what it reads from the environment for OpenAI: its URL, key, organization, project and headers.
 * Throws a `TypeError` where the URL or the key is missing.
 */
export function connect({ name, baseURL: preset, keyVariable }: Host, endpoint: Endpoint): OpenAI {
  const { baseURL = preset } = endpoint;
  if (baseURL === undefined)
    throw new TypeError(`"${name}" has no URL of its own: pass \`baseURL\`.`);
  const apiKey = endpoint.apiKey ?? keyFrom(name, keyVariable);
  if (apiKey === "")
    throw new TypeError(
      `The API key for "${name}" is empty: ${keyVariable === undefined ? 'a host that needs none takes "none"' : `leave \`apiKey\` out, and set ${keyVariable}`}.`,
    );
  return createClient(
    { ...endpoint, baseURL, apiKey },
    { organization: null, project: null, defaultHeaders: withoutForeign(apiKey) },
  );
}

function keyFrom(name: string, variable: string | undefined): string {
  if (variable === undefined) return "none";
  const key = environment()[variable];
  if (key === undefined || key === "")
    throw new TypeError(`No API key for "${name}": pass \`apiKey\`, or set ${variable}.`);
  return key;
}

/** The SDK sends the headers of `OPENAI_CUSTOM_HEADERS` wherever it goes, unless each is taken back by name. */
function withoutForeign(apiKey: string): Record<string, string | null> {
  const names = (environment()["OPENAI_CUSTOM_HEADERS"] ?? "")
    .split("\n")
    .map((line) => line.slice(0, Math.max(0, line.indexOf(":"))).trim());
  const headers = names.filter((name) => name !== "").map((name) => [name.toLowerCase(), null]);
  return { ...Object.fromEntries(headers), authorization: `Bearer ${apiKey}` };
}
