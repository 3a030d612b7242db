import type { Adapter } from "@fullstop/core";
import { type GoogleOptions, google } from "@fullstop/provider-google";
import { bytes, type Chunk } from "./chunks.ts";

export const sseResponse = (body: BodyInit, init: ResponseInit = {}): Response =>
  new Response(body, {
    ...init,
    headers: { "content-type": "text/event-stream", ...init.headers },
  });
export const errorResponse = (
  status: number,
  error: object,
  headers: Record<string, string> = {},
): Response => Response.json({ error: { code: status, ...error } }, { status, headers });

export type Answer = readonly Chunk[] | string | (() => Response | Promise<Response>);

/** What the adapter sent, as the server got it. */
export interface Sent {
  readonly url: string;
  readonly headers: Headers;
  readonly signal: AbortSignal | null | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: a request body is asserted on at any depth
  readonly body: any;
}
export interface Server {
  readonly fetch: typeof globalThis.fetch;
  readonly requests: readonly Sent[];
  adapter(options?: GoogleOptions, model?: string): Adapter;
}

/** A `fetch` that answers in order, for the real SDK. */
export function serve(...answers: readonly Answer[]): Server {
  const requests: Sent[] = [];
  const fetch: typeof globalThis.fetch = async (url, init) => {
    const answer = answers[requests.length];
    requests.push({
      url: String(url),
      headers: new Headers(init?.headers),
      signal: init?.signal,
      body: JSON.parse(String(init?.body)),
    });
    if (answer === undefined) throw new Error("No answer is left.");
    if (typeof answer === "function") return answer();
    return sseResponse(typeof answer === "string" ? answer : bytes(answer));
  };
  return {
    fetch,
    requests,
    adapter: (options, model = "gemini-3.1-pro") =>
      google(model, { apiKey: "key", fetch, ...options }),
  };
}
