import type { Adapter, Endpoint } from "@fullstop/core";
import {
  checkAdapterOptions,
  defineAdapter,
  endpointKinds,
  sse,
  withEndpoint,
} from "@fullstop/core/adapter";
import { type AcmeEvent, createDecoder } from "./decode.ts";
import { encode } from "./encode.ts";
import { errors } from "./errors.ts";
import { stops } from "./stops.ts";

export type { AcmeEvent } from "./decode.ts";

/** `baseURL` is `https://api.acme.example` by default. */
export type AcmeOptions = Endpoint;

/** Acme Chat. https://docs.acme.example */
export function acme(model: string, options: AcmeOptions = {}): Adapter {
  checkAdapterOptions(options, endpointKinds, "acme");
  const { apiKey, baseURL = "https://api.acme.example", fetch = globalThis.fetch } = options;
  const headers = {
    "content-type": "application/json",
    ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
  };
  const adapter = defineAdapter<AcmeEvent>({
    provider: "acme",
    protocol: "acme-chat",
    model,
    stops,
    errors,
    toolInputEnd: "explicit",
    callIds: { maxLength: 40, allowed: /^[\w-]+$/ },
    outputFormat: "always",
    open: async (request, signal) =>
      sse(
        await fetch(`${baseURL}/chat`, {
          method: "POST",
          headers,
          body: JSON.stringify(encode(request, model)),
          signal,
        }),
      ),
    decoder: createDecoder,
  });
  return withEndpoint(adapter, () => ({ ...options, baseURL }));
}
