import type { Adapter } from "@fullstop/core";
import { type GoogleOptions, google } from "@fullstop/provider-google";

export type Part = Readonly<Record<string, unknown>>;
export type Chunk = Readonly<Record<string, unknown>>;

export const usage = { promptTokenCount: 10, candidatesTokenCount: 20, totalTokenCount: 30 };
export const chunk = (...parts: readonly Part[]): Chunk => ({
  candidates: [{ content: { parts, role: "model" }, index: 0 }],
});
export const end = (
  finishReason: string | undefined,
  candidate: object = {},
  counts: object = usage,
): Chunk => ({
  candidates: [
    {
      content: { parts: [{ text: "" }], role: "model" },
      index: 0,
      ...(finishReason !== undefined && { finishReason }),
      ...candidate,
    },
  ],
  usageMetadata: counts,
  modelVersion: "gemini-3.1-pro",
  responseId: "response_1",
});
export const text = (said: string): Part => ({ text: said });
export const call = (name: string, args?: object, rest: object = {}): Part => ({
  functionCall: { name, ...(args && { args }) },
  ...rest,
});
export const reply = (finishReason: string, ...parts: readonly Part[]): readonly Chunk[] => [
  ...parts.map((part) => chunk(part)),
  end(finishReason),
];

export const bytes = (chunks: readonly Chunk[]): string =>
  chunks.map((one) => `data: ${JSON.stringify(one)}\r\n\r\n`).join("");
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
