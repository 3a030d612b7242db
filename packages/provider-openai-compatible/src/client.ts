import type { Endpoint } from "@fullstop/core";
import { type ChatClient, createClient } from "@fullstop/provider-openai/protocol";
import type { Dialect } from "./dialects.ts";

type Environment = Readonly<Record<string, string | undefined>>;
const environment = (): Environment => (globalThis as { readonly process?: { readonly env?: Environment } }).process?.env ?? {};

/** The SDK's client without what it reads from the environment for OpenAI: its URL, key, organization, project and headers. */
export function connect(name: string, { baseURL: preset, keyVariable }: Dialect, endpoint: Endpoint): ChatClient {
  const { baseURL = preset } = endpoint;
  if (baseURL === undefined) throw new TypeError(`The dialect "${name}" has no URL of its own: pass \`baseURL\`.`);
  const apiKey = endpoint.apiKey ?? keyFrom(name, keyVariable);
  return createClient({ ...endpoint, baseURL, apiKey }, { organization: null, project: null, defaultHeaders: withoutForeign(apiKey) });
}

function keyFrom(name: string, variable: string | undefined): string {
  if (variable === undefined) return "none";
  const key = environment()[variable];
  if (key === undefined || key === "") throw new TypeError(`No API key for "${name}": pass \`apiKey\`, or set ${variable}.`);
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
