import type { BedrockRuntimeClientConfig } from "@aws-sdk/client-bedrock-runtime";

type RequestHandler = NonNullable<BedrockRuntimeClientConfig["requestHandler"]>;
interface SignedRequest {
  readonly protocol: string;
  readonly hostname: string;
  readonly port?: number | undefined;
  readonly path: string;
  readonly query?: Readonly<Record<string, string | readonly string[] | null>>;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/**
 * Sends the SDK's requests with a `fetch`, so that the adapter works like the others: with a proxy,
 * in a worker, and over HTTP/1.1. The SDK drops the user name and the password of `baseURL`. They are
 * added again: `fetch` refuses them, and the error then says what to do.
 */
export const fetchHandler = (fetch: typeof globalThis.fetch, baseURL?: string): RequestHandler =>
  ({
    metadata: { handlerProtocol: "http/1.1" },
    async handle(request: SignedRequest, { abortSignal }: { abortSignal?: AbortSignal } = {}) {
      const { protocol, hostname, port, path, method, headers, body } = request;
      const user = userIn(baseURL);
      const url = `${protocol}//${user}${hostname}${port === undefined ? "" : `:${port}`}${path}`;
      const response = await fetch(url, {
        method,
        headers: { ...headers },
        ...(body !== undefined && { body: decodeBody(body) }),
        ...(abortSignal && { signal: abortSignal }),
      });
      const { status: statusCode, statusText: reason } = response;
      return {
        response: {
          statusCode,
          reason,
          headers: Object.fromEntries(response.headers),
          body: response.body,
        },
      };
    },
    updateHttpClientConfig: () => undefined,
    httpHandlerConfigs: () => ({}),
  }) as RequestHandler;

const userIn = (url = ""): string => /^\w+:\/\/([^/?#]*@)/.exec(url)?.[1] ?? "";

/** Requests of Converse are JSON. A text is what wrappers of `fetch` expect. */
const decodeBody = (body: unknown): string =>
  body instanceof Uint8Array ? new TextDecoder().decode(body) : String(body);
