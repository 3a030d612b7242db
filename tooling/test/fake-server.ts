/** A request as a server gets it. */
export interface SentRequest {
  readonly url: string;
  readonly headers: Headers;
  readonly signal: AbortSignal | null | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: tests check request bodies at any depth
  readonly body: any;
}
export type Answer = () => Response | Promise<Response>;
export interface FakeServer {
  readonly fetch: typeof globalThis.fetch;
  readonly requests: readonly SentRequest[];
}

/**
 * A `fetch` for the real SDKs: records requests with JSON bodies, and gives the answers in order.
 */
export function fakeServer(answers: readonly Answer[]): FakeServer {
  const requests: SentRequest[] = [];
  const fetch: typeof globalThis.fetch = async (url, init) => {
    const answer = answers[requests.length];
    requests.push({
      url: String(url),
      headers: new Headers(init?.headers),
      signal: init?.signal,
      body: JSON.parse(String(init?.body)),
    });
    if (answer === undefined) throw new Error("No answer is left.");
    return answer();
  };
  return { fetch, requests };
}
