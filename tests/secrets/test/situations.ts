import { type Answer, cutEvent, failing, streaming } from "./server.ts";
import type { AdapterOptions, Speaker } from "./speakers.ts";

/** The secret of a user, which must not be visible. */
export const userSecret = "sk-seeded/Kx7+Qw3zR9TfB2mVhY5nLd8PjC4gA6e";
const line = "\n";

/** One way to fail. */
export interface Situation {
  /**
   * The answer of the server to each request; without it no server listens. `quoted` is the text
   * that a server or a `fetch` repeats.
   */
  readonly answer?: (quoted: string, speaker: Speaker) => Answer;
  /** Other options of the user. */
  readonly options?: (quoted: string, baseURL: string) => Partial<AdapterOptions>;
  /** The key is only in the environment. */
  readonly fromEnvironment?: true;
  /** The framings whose reader quotes nothing of what arrived. */
  readonly quotesNothing?: readonly NonNullable<Speaker["wire"]["framing"]>[];
  /** The idle time, in milliseconds. */
  readonly idleMs?: number;
}

const sentenceWith = (quoted: string): string =>
  `Incorrect API key provided: ${quoted}. Get another one.`;
const fetchThatThrows =
  (
    make: (
      quoted: string,
      input: Parameters<typeof fetch>[0],
      init: RequestInit | undefined,
    ) => unknown,
  ) =>
  (quoted: string): Partial<AdapterOptions> => ({
    fetch: async (input, init) => {
      throw make(quoted, input, init);
    },
  });
const withHost = (baseURL: string, change: (url: URL) => void): string => {
  const url = new URL(baseURL);
  change(url);
  return url.href.replace(/\/$/, "");
};
const errorWith = (thrown: object, quoted: string): Error =>
  Object.assign(new Error(sentenceWith(quoted), { cause: new Error(quoted) }), thrown);

/** A provider, or a gateway before it, repeats the secret. */
export const repeatingSituations: Readonly<Record<string, Situation>> = {
  "401 repeats it": {
    answer: (quoted) =>
      failing(401, { error: { message: sentenceWith(quoted), type: "authentication_error" } }),
  },
  "401 repeats it as code": {
    answer: (quoted) =>
      failing(401, {
        error: { message: sentenceWith(quoted), code: quoted, type: quoted, status: quoted },
      }),
  },
  "400 repeats it": {
    answer: (quoted) =>
      failing(400, {
        error: { message: sentenceWith(quoted), param: quoted, details: [{ reason: quoted }] },
      }),
  },
  "403 with a text as the error": {
    answer: (quoted) => failing(403, { error: sentenceWith(quoted) }),
  },
  "429 repeats it": {
    answer: (quoted) =>
      failing(429, { error: { message: sentenceWith(quoted) } }, { "retry-after": "0" }),
  },
  "500 repeats it": {
    answer: (quoted) => failing(500, { error: { message: sentenceWith(quoted) } }),
  },
  "529 with a plain text": { answer: (quoted) => failing(529, sentenceWith(quoted)) },
  "400 with a list": {
    answer: (quoted) =>
      failing(400, [
        { error: { code: 400, message: sentenceWith(quoted), status: "INVALID_ARGUMENT" } },
      ]),
  },
  "502 with a page": {
    answer: (quoted) =>
      failing(502, `<html><head><title>${quoted}</title></head><body>${quoted}</body></html>`),
  },
  "200 with a page": {
    answer: (quoted) => failing(200, `<html><body>${sentenceWith(quoted)}</body></html>`),
  },
  "200 with broken JSON": {
    answer: (quoted) =>
      failing(200, `{"error": "${quoted}", ${quoted}`, { "content-type": "application/json" }),
  },
  "a frame that cannot be read": {
    answer: (quoted, speaker) => streaming([speaker.firstEvent, `{"key": ${quoted}}`], speaker),
  },
  "a frame whose quotation ends inside the secret": {
    answer: (quoted, speaker) =>
      streaming([speaker.firstEvent, `${"x".repeat(165)}${quoted}`], speaker),
  },
  "an end in the middle of an event": {
    answer: (quoted, speaker) =>
      streaming([speaker.firstEvent], speaker, (response) =>
        response.end(cutEvent(`{"key": "${quoted}"}`, speaker)),
      ),
    quotesNothing: ["aws"],
  },
  "an error inside the reply": {
    answer: (quoted, speaker) =>
      streaming([speaker.firstEvent, speaker.errorEvent(quoted)], speaker),
  },
  "an error instead of a reply": {
    answer: (quoted, { errorEvent }) => failing(200, JSON.parse(errorEvent(quoted)) as unknown),
  },
  "an unknown native stop reason": {
    answer: (quoted, speaker) =>
      streaming([speaker.firstEvent, ...speaker.endEvents(quoted)], speaker),
  },
  "a request id": {
    answer: (quoted) =>
      failing(500, { error: { message: "No." } }, { "request-id": quoted, "x-request-id": quoted }),
  },
  "a fetch that throws it": { options: fetchThatThrows((quoted) => errorWith({}, quoted)) },
  "a fetch that throws it as a text": {
    options: fetchThatThrows((quoted) => sentenceWith(quoted)),
  },
  "a fetch that throws it in nested members": {
    options: fetchThatThrows((quoted) =>
      errorWith(
        {
          config: {
            headers: { authorization: quoted },
            [quoted]: 1,
            list: [new Map([[quoted, quoted]])],
          },
        },
        quoted,
      ),
    ),
  },
  "a fetch whose error is a lost connection": {
    options: fetchThatThrows((quoted) =>
      errorWith({ code: "ECONNREFUSED", hostname: quoted }, quoted),
    ),
  },
  "a body that breaks with it": {
    options: (quoted) => ({
      fetch: async () =>
        new Response(
          new ReadableStream({ start: (controller) => controller.error(errorWith({}, quoted)) }),
          {
            headers: { "content-type": "text/event-stream" },
          },
        ),
    }),
  },
};

/** The secret is only in the options or the request, or no error repeats it. */
export const sendingSituations: Readonly<Record<string, Situation>> = {
  "a fetch that throws the request": {
    options: fetchThatThrows((_, input, init) =>
      errorWith(
        { request: new Request(String(input), { headers: new Headers(init?.headers) }), init },
        "It failed.",
      ),
    ),
  },
  "a key with a line break": { options: (quoted) => ({ apiKey: `${quoted}${line}${quoted}` }) },
  "a key with a carriage return": { options: (quoted) => ({ apiKey: `x\r${quoted}` }) },
  "a key with a character that headers do not allow": {
    options: (quoted) => ({ apiKey: `${quoted}…` }),
  },
  "a header with a line break": {
    options: (quoted) => ({ headers: { "x-gateway-key": `a${line}${quoted}` } }),
  },
  "a header that the server repeats": {
    answer: () => (response, request) =>
      failing(400, { error: { message: `Bad header: ${request.headers["x-gateway-key"]}` } })(
        response,
        request,
      ),
    options: (quoted) => ({ headers: { "x-gateway-key": `Token ${quoted}` } }),
  },
  "a repetition of the whole request": {
    answer: () => (response, request) =>
      failing(401, { error: { message: JSON.stringify([request.url, request.headers]) } })(
        response,
        request,
      ),
  },
  "an event with an unexpected shape": {
    answer: (quoted, speaker) =>
      streaming([speaker.firstEvent, JSON.stringify(quoted), "[null]", "7"], speaker),
  },
  "a redirect to a server that repeats it": {
    answer: () => (response, request) => {
      if (request.url?.endsWith("/moved"))
        return failing(401, { error: { message: JSON.stringify(request.headers) } })(
          response,
          request,
        );
      return failing(307, {}, { location: "/moved" })(response, request);
    },
  },
  "a password in baseURL": {
    options: (quoted, baseURL) => ({
      baseURL: withHost(baseURL, (url) => Object.assign(url, { username: "me", password: quoted })),
    }),
  },
  "a password in an invalid baseURL": {
    options: (quoted) => ({ baseURL: `http://me:${quoted}@[nowhere` }),
  },
  "a key in the query of baseURL": {
    answer: () => (response, request) =>
      failing(404, { error: { message: `Nothing at ${request.url}` } })(response, request),
    options: (quoted, baseURL) => ({
      baseURL: `${baseURL}/v1?token=${encodeURIComponent(quoted)}`,
    }),
  },
  "a refused connection": { options: () => ({}) },
  "a reset": { answer: () => (response) => response.destroy() },
  "a reset in the middle": {
    answer: (_, speaker) =>
      streaming([speaker.firstEvent], speaker, (response) => response.destroy()),
  },
  silence: {
    answer: (_, speaker) => streaming([speaker.firstEvent], speaker, () => undefined),
    idleMs: 40,
  },
  "401 repeats a key from the environment": {
    answer: () => (response, request) =>
      failing(401, { error: { message: JSON.stringify(request.headers) } })(response, request),
    fromEnvironment: true,
  },
};
