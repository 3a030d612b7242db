import type { Adapter, EventBatches } from "../contract/adapter.ts";
import { isProviderError, ProviderError } from "../contract/error.ts";
import type { TurnEvent } from "../contract/event.ts";
import { withRedact } from "./clean-error.ts";
import { createRedact, type Redact } from "./redact.ts";
import { baseURLOf, type KnownEndpoint, keysOf, readURL, secretsOf } from "./secrets.ts";
import { withStatusAdvice } from "./status-advice.ts";
import { toProviderError } from "./thrown.ts";
import { inChain, unreachable } from "./unreachable.ts";

/**
 * Gives an adapter errors that fit its endpoint. No error, and no cause of one, contains a key, a
 * header value or a password of the endpoint. If no connection was made, or the key or the URL
 * cannot be used, the error says so and what to do. `endpointOf` is called for each request and when
 * something failed, so it can include what was learnt after the adapter was made.
 */
export function withEndpoint(adapter: Adapter, endpointOf: () => KnownEndpoint): Adapter {
  const redactNow = createRedactNow(() => secretsOf(endpointOf()));
  const clean = (thrown: unknown): unknown => withRedact(thrown, redactNow());
  return {
    ...adapter,
    server: () => serverAt(readURL(baseURLOf(endpointOf()) ?? "")),
    open: async (request, signal) => {
      try {
        return cleanBatches(await adapter.open(request, signal), clean);
      } catch (thrown) {
        throw withAdvice(clean(thrown), endpointOf(), adapter);
      }
    },
    decoder: (emit) => {
      let emitting = false;
      const decode = adapter.decoder((event) => {
        emitting = true;
        emit(mayRepeat(event) ? (clean(event) as TurnEvent) : event);
        emitting = false;
      });
      // An error of the listener passes unchanged.
      const careful =
        <Arguments extends readonly unknown[]>(step: (...values: Arguments) => void) =>
        (...values: Arguments): void => {
          emitting = false;
          try {
            step(...values);
          } catch (thrown) {
            throw emitting ? thrown : clean(thrown);
          }
        };
      return Object.assign(careful(decode), decode.settle && { settle: careful(decode.settle) });
    },
  };
}

/** An address of IPv6 has brackets only in a URL. */
function serverAt(url: URL | undefined): ReturnType<NonNullable<Adapter["server"]>> {
  if (url === undefined || url.hostname === "") return undefined;
  const { protocol, hostname, port } = url;
  const standard = /^(http|ws):$/.test(protocol) ? 80 : 443;
  return { address: hostname.replace(/^\[|\]$/g, ""), port: port === "" ? standard : Number(port) };
}

function createRedactNow(secrets: () => readonly string[]): () => Redact {
  let known: { readonly all: string; readonly redact: Redact } | undefined;
  return () => {
    const now = secrets();
    const all = now.join("\n");
    if (known?.all !== all) known = { all, redact: createRedact(now) };
    return known.redact;
  };
}

function cleanBatches(
  batches: EventBatches<unknown>,
  clean: (value: unknown) => unknown,
): EventBatches<unknown> {
  const fail = (thrown: unknown): never => {
    throw clean(thrown);
  };
  const head = batches.head && (clean(batches.head) as NonNullable<typeof batches.head>);
  return {
    ...(head && { head }),
    [Symbol.asyncIterator]: () => {
      const iterator = batches[Symbol.asyncIterator]();
      return {
        next: () => {
          try {
            return iterator.next().then(undefined, fail);
          } catch (thrown) {
            return fail(thrown);
          }
        },
        ...(iterator.return && { return: () => iterator.return?.() }),
      } as AsyncIterator<readonly unknown[]>;
    },
  };
}

/** These events may repeat parts of the request. */
const mayRepeat = ({ type }: TurnEvent): boolean => type === "error" || type === "stop";

function withAdvice(thrown: unknown, endpoint: KnownEndpoint, adapter: Adapter): unknown {
  if (isProviderError(thrown)) return thrown;
  const error = toProviderError(thrown, adapter, "invalid-request");
  const { name = adapter.provider, keyVariable } = endpoint;
  const host = readURL(baseURLOf(endpoint) ?? "")?.host;
  if (error.status !== undefined)
    return withStatusAdvice(error, { name, model: adapter.model, host, keyVariable });
  if (error.kind === "timeout") return thrown;
  const failed = unreachable(thrown, host);
  return (
    failed ??
    unsendable(endpoint, thrown) ??
    (error.kind === "auth" ? missingKey(endpoint, thrown) : undefined) ??
    thrown
  );
}

/** Bytes that a header cannot hold: https://fetch.spec.whatwg.org/#concept-header-value */
const isUnfit = (value: string): boolean => /[^\t\x20-\x7e\x80-\xff]/.test(value.trim());
const unfit = "holds a line break or another character that an HTTP header cannot hold";

function unsendable(endpoint: KnownEndpoint, cause: unknown): ProviderError | undefined {
  if (keysOf(endpoint).some(isUnfit))
    return new ProviderError(
      `The API key ${unfit}. Copy the key again, without the characters around it.`,
      { kind: "auth", cause },
    );
  const header = Object.entries(endpoint.headers ?? {}).find(([, value]) =>
    isUnfit(String(value)),
  )?.[0];
  const said =
    header === undefined
      ? unusableURL(endpoint, cause)
      : `The value of the header "${header}" ${unfit}. Correct \`headers\`.`;
  return said === undefined
    ? undefined
    : new ProviderError(said, { kind: "invalid-request", cause });
}

function unusableURL(endpoint: KnownEndpoint, cause: unknown): string | undefined {
  const baseURL = baseURLOf(endpoint);
  if (baseURL === undefined) return undefined;
  const url = readURL(baseURL);
  // https://fetch.spec.whatwg.org/#port-blocking
  if (url !== undefined && inChain(cause).some(({ message }) => message === "bad port"))
    return `\`fetch\` does not connect to port ${url.port}, which belongs to another protocol. Let the server listen on another port, and correct \`baseURL\`.`;
  if (url === undefined) return "`baseURL` is not a valid URL. It has the form https://host/path.";
  // The caller's own `fetch` may accept a URL with a password.
  if (endpoint.fetch !== undefined || `${url.username}${url.password}` === "") return undefined;
  return '`baseURL` holds a user name or a password, and `fetch` refuses such a URL. Take them out of it, and send them in `headers` as "authorization".';
}

function missingKey(endpoint: KnownEndpoint, cause: unknown): ProviderError | undefined {
  const { name = "the provider", keyVariable } = endpoint;
  if (keyVariable === undefined || keysOf(endpoint).length > 0) return undefined;
  return new ProviderError(
    `No API key for ${name.replace(/^The /, "the ")}: pass \`apiKey\`, or set the environment variable ${keyVariable}.`,
    {
      kind: "auth",
      cause,
    },
  );
}
