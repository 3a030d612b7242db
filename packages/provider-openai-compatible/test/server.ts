import type { Adapter } from "@fullstop/core";
import {
  type Dialect,
  type DialectName,
  type OpenAICompatibleOptions,
  openaiCompatible,
} from "@fullstop/provider-openai-compatible";

type Fields = Readonly<Record<string, unknown>>;
export const done: "[DONE]" = "[DONE]";
export type Event = Fields | typeof done;

/** A request, as the server received it. */
export interface Sent {
  readonly url: string;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a request body is asserted on at any depth
  readonly body: any;
}
export interface Server {
  readonly requests: readonly Sent[];
  readonly fetch: typeof globalThis.fetch;
  adapter(
    dialect: DialectName | (Dialect & { readonly name: string }),
    options?: OpenAICompatibleOptions,
  ): Adapter;
}

/** A `fetch` that answers in order, for the real SDK. */
export function serve(...answers: readonly (readonly Event[])[]): Server {
  const requests: Sent[] = [];
  const fetch: typeof globalThis.fetch = async (url, init) => {
    const answer = answers[requests.length];
    requests.push({
      url: String(url),
      headers: new Headers(init?.headers),
      body: JSON.parse(String(init?.body)),
    });
    if (answer === undefined) throw new Error("No answer is left.");
    const body = answer
      .map((event) => `data: ${typeof event === "string" ? event : JSON.stringify(event)}\n\n`)
      .join("");
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  };
  return {
    requests,
    fetch,
    adapter: (dialect, options) =>
      openaiCompatible(dialect, "m", {
        baseURL: "https://host.example/v1",
        apiKey: "key",
        fetch,
        ...options,
      }),
  };
}
