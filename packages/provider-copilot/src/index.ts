import type { Adapter, Endpoint } from "@fullstop/core";
import { type KnownEndpoint, withEndpoint } from "@fullstop/core/adapter";
import { clientHeaders, requestHeaders, speaking } from "./requests.ts";
import { createSession, type Exchange } from "./session.ts";
import { type Surface, type SurfaceOptions, surfaceOf, surfaces } from "./surfaces.ts";

export type { CopilotToken, Exchange } from "./session.ts";
export type { Surface, SurfaceOptions } from "./surfaces.ts";

/** How to reach Copilot, and which of its surfaces. */
export interface CopilotOptions extends SurfaceOptions, Pick<Endpoint, "baseURL" | "fetch"> {
  /** Exchanges your GitHub token for one of Copilot's. Asked before the first request, and again when the token is about to expire. */
  readonly token: Exchange;
  /** Which of its protocols to speak: `messages` for Claude, `responses` for GPT-5 and later, `chat` for all others. */
  readonly surface?: Surface | undefined;
  /** Sent with every request, over those of this package: `copilot-integration-id`, `editor-version`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

const host = "https://api.githubcopilot.com";

/** GitHub Copilot, over the protocol that the model is served by. What `token` throws is the error of the turn. */
export function copilot(model: string, options: CopilotOptions): Adapter {
  const {
    token,
    surface = surfaceOf(model),
    headers,
    fetch = globalThis.fetch,
    baseURL,
    ...said
  } = options;
  const session = createSession(token);
  let known: KnownEndpoint = { headers };
  const at = (endpoint: Endpoint): Adapter => surfaces[surface](model, endpoint, said);
  const open: Adapter["open"] = async (request, signal) => {
    known = { headers, secrets: known.secrets };
    const { token: apiKey, baseURL: own = host } = await session();
    known = {
      headers,
      baseURL: baseURL ?? own,
      fetch: options.fetch,
      secrets: [apiKey, ...(known.secrets ?? []).slice(0, 1)],
    };
    const about = {
      ...clientHeaders,
      ...requestHeaders(request),
      ...headers,
      authorization: `Bearer ${apiKey}`,
    };
    return at({ baseURL: baseURL ?? own, apiKey, fetch: speaking(fetch, about) }).open(
      request,
      signal,
    );
  };
  return withEndpoint({ ...at({}), open }, () => known);
}
