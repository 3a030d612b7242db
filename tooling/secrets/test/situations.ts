import { type Answer, failing, streaming } from "./server.ts";
import type { AdapterOptions, Speaker } from "./speakers.ts";

/** What stands for the secret of a user, and must be seen nowhere. */
export const userSecret = "sk-seeded/Kx7+Qw3zR9TfB2mVhY5nLd8PjC4gA6e";
const line = "\n";

/** One way to fail. */
export interface Situation {
  /** What the server does with every request; none listens without it. `said` is the text that a server or a `fetch` repeats. */
  readonly answer?: (said: string, speaker: Speaker) => Answer;
  /** What the user gives otherwise. */
  readonly options?: (said: string, baseURL: string) => Partial<AdapterOptions>;
  /** The key is in the environment alone. */
  readonly fromEnvironment?: true;
  /** Milliseconds of patience. */
  readonly idleMs?: number;
}

const sentenceWith = (said: string): string =>
  `Incorrect API key provided: ${said}. Get another one.`;
const fetchThatThrows =
  (
    make: (
      said: string,
      input: Parameters<typeof fetch>[0],
      init: RequestInit | undefined,
    ) => unknown,
  ) =>
  (said: string): Partial<AdapterOptions> => ({
    fetch: async (input, init) => {
      throw make(said, input, init);
    },
  });
const withHost = (baseURL: string, change: (url: URL) => void): string => {
  const url = new URL(baseURL);
  change(url);
  return url.href.replace(/\/$/, "");
};
const errorWith = (thrown: object, said: string): Error =>
  Object.assign(new Error(sentenceWith(said), { cause: new Error(said) }), thrown);

/** A provider, or something in front of it, repeats the secret. */
export const repeatingSituations: Readonly<Record<string, Situation>> = {
  "401 repeats it": {
    answer: (said) =>
      failing(401, { error: { message: sentenceWith(said), type: "authentication_error" } }),
  },
  "401 repeats it as code": {
    answer: (said) =>
      failing(401, {
        error: { message: sentenceWith(said), code: said, type: said, status: said },
      }),
  },
  "400 repeats it": {
    answer: (said) =>
      failing(400, {
        error: { message: sentenceWith(said), param: said, details: [{ reason: said }] },
      }),
  },
  "403 with a text for an error": { answer: (said) => failing(403, { error: sentenceWith(said) }) },
  "429 repeats it": {
    answer: (said) =>
      failing(429, { error: { message: sentenceWith(said) } }, { "retry-after": "0" }),
  },
  "500 repeats it": { answer: (said) => failing(500, { error: { message: sentenceWith(said) } }) },
  "529 with a plain text": { answer: (said) => failing(529, sentenceWith(said)) },
  "400 with a list": {
    answer: (said) =>
      failing(400, [
        { error: { code: 400, message: sentenceWith(said), status: "INVALID_ARGUMENT" } },
      ]),
  },
  "502 with a page": {
    answer: (said) =>
      failing(502, `<html><head><title>${said}</title></head><body>${said}</body></html>`),
  },
  "200 with a page": {
    answer: (said) => failing(200, `<html><body>${sentenceWith(said)}</body></html>`),
  },
  "200 with broken JSON": {
    answer: (said) =>
      failing(200, `{"error": "${said}", ${said}`, { "content-type": "application/json" }),
  },
  "a frame that cannot be read": {
    answer: (said, { begun }) => streaming([begun, `{"key": ${said}}`]),
  },
  "a frame that is quoted up to the middle of it": {
    answer: (said, { begun }) => streaming([begun, `${"x".repeat(180)}${said}`]),
  },
  "an end in the middle of an event": {
    answer: (said, { begun }) =>
      streaming([begun], (response) => response.end(`data: {"key": "${said}`)),
  },
  "an error inside the reply": {
    answer: (said, { begun, errorEvent: inBand }) => streaming([begun, inBand(said)]),
  },
  "an error instead of a reply": {
    answer: (said, { errorEvent: inBand }) => failing(200, JSON.parse(inBand(said)) as unknown),
  },
  "an unknown word at the end": {
    answer: (said, { begun, endEvent: ended }) => streaming([begun, ended(said)]),
  },
  "a request id": {
    answer: (said) =>
      failing(500, { error: { message: "No." } }, { "request-id": said, "x-request-id": said }),
  },
  "a fetch that throws it": { options: fetchThatThrows((said) => errorWith({}, said)) },
  "a fetch that throws it as a text": { options: fetchThatThrows((said) => sentenceWith(said)) },
  "a fetch that throws it deep inside": {
    options: fetchThatThrows((said) =>
      errorWith(
        {
          config: { headers: { authorization: said }, [said]: 1, list: [new Map([[said, said]])] },
        },
        said,
      ),
    ),
  },
  "a fetch whose error is a lost connection": {
    options: fetchThatThrows((said) => errorWith({ code: "ECONNREFUSED", hostname: said }, said)),
  },
  "a body that breaks with it": {
    options: (said) => ({
      fetch: async () =>
        new Response(
          new ReadableStream({ start: (controller) => controller.error(errorWith({}, said)) }),
          {
            headers: { "content-type": "text/event-stream" },
          },
        ),
    }),
  },
};

/** The secret is nowhere but in what the user gave, or the request; or no error repeats what it stands in. */
export const sendingSituations: Readonly<Record<string, Situation>> = {
  "a fetch that throws the request": {
    options: fetchThatThrows((_, input, init) =>
      errorWith(
        { request: new Request(String(input), { headers: new Headers(init?.headers) }), init },
        "It failed.",
      ),
    ),
  },
  "a key with a line break": { options: (said) => ({ apiKey: `${said}${line}${said}` }) },
  "a key with a carriage return": { options: (said) => ({ apiKey: `x\r${said}` }) },
  "a key with a character of no header": { options: (said) => ({ apiKey: `${said}…` }) },
  "a header with a line break": {
    options: (said) => ({ headers: { "x-gateway-key": `a${line}${said}` } }),
  },
  "a header that the server repeats": {
    answer: () => (response, request) =>
      failing(400, { error: { message: `Bad header: ${request.headers["x-gateway-key"]}` } })(
        response,
        request,
      ),
    options: (said) => ({ headers: { "x-gateway-key": `Token ${said}` } }),
  },
  "all that was sent, repeated": {
    answer: () => (response, request) =>
      failing(401, { error: { message: JSON.stringify([request.url, request.headers]) } })(
        response,
        request,
      ),
  },
  "an event of a strange shape": {
    answer: (said, { begun }) => streaming([begun, JSON.stringify(said), "[null]", "7"]),
  },
  "a redirect to where it is repeated": {
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
    options: (said, baseURL) => ({
      baseURL: withHost(baseURL, (url) => Object.assign(url, { username: "me", password: said })),
    }),
  },
  "a password in a baseURL that is none": {
    options: (said) => ({ baseURL: `http://me:${said}@[nowhere` }),
  },
  "a key in the query of baseURL": {
    answer: () => (response, request) =>
      failing(404, { error: { message: `Nothing at ${request.url}` } })(response, request),
    options: (said, baseURL) => ({ baseURL: `${baseURL}/v1?token=${encodeURIComponent(said)}` }),
  },
  "a refused connection": { options: () => ({}) },
  "a reset": { answer: () => (response) => response.destroy() },
  "a reset in the middle": {
    answer: (_, { begun }) => streaming([begun], (response) => response.destroy()),
  },
  silence: { answer: (_, { begun }) => streaming([begun], () => undefined), idleMs: 40 },
  "401 repeats a key of the environment": {
    answer: () => (response, request) =>
      failing(401, { error: { message: JSON.stringify(request.headers) } })(response, request),
    fromEnvironment: true,
  },
};
