import type { Adapter } from "@fullstop/core";
import { anthropic } from "@fullstop/provider-anthropic";
import { ollama } from "@fullstop/provider-ollama";
import { openaiCompatible } from "@fullstop/provider-openai-compatible";

/** The surfaces of the server. */
export type Surface = "Ollama's own" | "Chat" | "Messages";

export interface How {
  readonly stream: boolean;
  readonly fetch?: typeof globalThis.fetch;
}

const apiKey = "none";

/** An adapter of each surface, with the options that docs/local-models.md names. */
export const surfaces: Readonly<
  Record<Surface, (url: string, model: string, how: How) => Adapter>
> = {
  "Ollama's own": (url, model, how) => ollama(model, { baseURL: url, ...how }),
  Chat: (url, model, how) => openaiCompatible("ollama", model, { baseURL: `${url}/v1`, ...how }),
  Messages: (url, model, how) =>
    anthropic(model, { baseURL: url, apiKey, mislabelsTruncation: true, ...how }),
};

/** Each surface, as a stream and in one piece. */
export const waysToAsk = Object.entries(surfaces).flatMap(([surface, adapter]) => [
  { surface, adapter, stream: true, how: "as a stream" },
  { surface, adapter, stream: false, how: "in one piece" },
]);
