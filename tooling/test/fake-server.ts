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

/** A reply of a server: its events, its body, or a function that makes the response. */
export type Reply<Event> = readonly Event[] | string | Answer;

/** A `fetch` that gives the replies in order. `encode` makes the body of events. */
export const replyServer = <Event>(
  replies: readonly Reply<Event>[],
  encode: (events: readonly Event[]) => string,
  respond: (body: string) => Response = sseResponse,
): FakeServer =>
  fakeServer(
    replies.map((reply) =>
      typeof reply === "function"
        ? reply
        : () => respond(typeof reply === "string" ? reply : encode(reply)),
    ),
  );

/** The requests of all vendors have an id, in one of two headers. */
const respondWith =
  (type: string) =>
  (body: BodyInit, init: ResponseInit = {}): Response =>
    new Response(body, {
      ...init,
      headers: {
        "content-type": type,
        "request-id": "req_1",
        "x-request-id": "req_1",
        ...init.headers,
      },
    });
export const sseResponse: (body: BodyInit, init?: ResponseInit) => Response = respondWith(
  "text/event-stream; charset=utf-8",
);
const withJson = respondWith("application/json");
export const jsonResponse = (body: unknown, init?: ResponseInit): Response =>
  withJson(JSON.stringify(body), init);

/** Events as a body. A text stands as it is, such as `[DONE]`; a `type` also names its event. */
export const sseBytes = (events: readonly (object | string)[]): string =>
  events
    .map((event) => {
      const name =
        typeof event === "object" && "type" in event ? `event: ${String(event.type)}\n` : "";
      return `${name}data: ${typeof event === "string" ? event : JSON.stringify(event)}\n\n`;
    })
    .join("");
