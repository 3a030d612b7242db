import type { Adapter, Endpoint } from "@fullstop/core";
import {
  checkAdapterOptions,
  commonKinds,
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
export interface AcmeOptions extends Endpoint {
  /** `false` requests the reply in one piece. */
  readonly stream?: boolean | undefined;
}
const optionKinds = { ...endpointKinds, stream: commonKinds.stream };

/** Acme Chat. https://docs.acme.example */
export function acme(model: string, options: AcmeOptions = {}): Adapter {
  checkAdapterOptions(options, optionKinds, "acme");
  const { apiKey, baseURL = "https://api.acme.example", stream = true } = options;
  const { fetch = globalThis.fetch } = options;
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
          body: JSON.stringify(encode(request, { model, stream })),
          signal,
        }),
      ),
    decoder: createDecoder,
  });
  return withEndpoint(adapter, () => ({ ...options, baseURL }));
}
