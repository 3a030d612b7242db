import type { Fetch } from "@fullstop/guard";
import { Agent, type Dispatcher, EnvHttpProxyAgent, fetch, type RequestInit } from "undici";

/** The environment variables that name a proxy. */
const proxyVariables = ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"];
const loopback = "localhost,127.0.0.1,::1";

/**
 * The `fetch` for upstreams. The one of Node gives up after five minutes without a byte; models
 * think longer than that before they say anything. A proxy of the environment is used, but not for
 * this machine.
 */
export function createUpstreamFetch({ silenceMs }: { readonly silenceMs: number }): Fetch {
  const limits = { headersTimeout: silenceMs, bodyTimeout: silenceMs };
  const { NO_PROXY, no_proxy: noProxy = NO_PROXY } = process.env;
  const dispatcher: Dispatcher = proxyVariables.some((name) => process.env[name])
    ? new EnvHttpProxyAgent({ ...limits, noProxy: [noProxy, loopback].filter(Boolean).join() })
    : new Agent(limits);
  // The types of undici and of the platform have the same members and different names.
  return (input, init) =>
    fetch(String(input), { ...(init as RequestInit), dispatcher }) as unknown as Promise<Response>;
}
