import type { Adapter, Batches } from "./adapter.ts";
import { isProviderError, ProviderError } from "./error.ts";
import type { TurnEvent } from "./event.ts";
import { createRedact, type Redact } from "./redact.ts";
import { withRedact } from "./redact-thrown.ts";
import { type KnownEndpoint, readURL, secretsOf } from "./secrets.ts";
import { readThrown } from "./thrown.ts";
import { unreachable } from "./unreachable.ts";

/**
 * The adapter with errors that suit its endpoint. No error that it throws, and none that the provider says, holds a key, a header's value or a password
 * of the endpoint; causes included. Where no connection was made, or the key or the URL cannot be used, the error says so and what to do.
 * `endpointOf` is asked when something failed, so that it may tell what was learnt only then.
 */
export function withEndpoint(adapter: Adapter, endpointOf: () => KnownEndpoint): Adapter {
  const redact = createRedactOf(() => secretsOf(endpointOf()));
  const clean = (thrown: unknown): unknown => withRedact(thrown, redact);
  return {
    ...adapter,
    open: async (request, signal) => {
      try {
        return cleanBatches(await adapter.open(request, signal), clean, redact);
      } catch (thrown) {
        throw told(clean(thrown), endpointOf());
      }
    },
    decoder: (emit) => {
      let emitting = false;
      const decode = adapter.decoder((event) => {
        emitting = true;
        emit(cleanEvent(event, redact));
        emitting = false;
      });
      // What one who watches throws is theirs: it passes as it is.
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
      return Object.assign(
        careful(decode),
        "settle" in decode && typeof decode.settle === "function" && { settle: careful(decode.settle as () => void) },
      );
    },
  };
}

/** Made anew only when the secrets are others than before. */
function createRedactOf(secrets: () => readonly string[]): Redact {
  let known: { readonly all: string; readonly redact: Redact } | undefined;
  return (text) => {
    const now = secrets();
    const all = now.join("\n");
    if (known?.all !== all) known = { all, redact: createRedact(now) };
    return known.redact(text);
  };
}

function cleanBatches(batches: Batches<unknown>, clean: (thrown: unknown) => unknown, redact: Redact): Batches<unknown> {
  const head = batches.head && { ...batches.head, requestId: batches.head.requestId && redact(batches.head.requestId) };
  return {
    ...(head && { head }),
    [Symbol.asyncIterator]: () => {
      const iterator = batches[Symbol.asyncIterator]();
      return {
        next: async () => {
          try {
            return await iterator.next();
          } catch (thrown) {
            throw clean(thrown);
          }
        },
        ...(iterator.return && { return: () => iterator.return?.() }),
      } as AsyncIterator<readonly unknown[]>;
    },
  };
}

/** What a provider says of a failure may repeat what was sent. */
function cleanEvent(event: TurnEvent, redact: Redact): TurnEvent {
  if (event.type === "error") return { ...event, native: redact(event.native), message: redact(event.message) };
  if (event.type !== "stop") return event;
  return { ...event, native: redact(event.native), ...(event.detail !== undefined && { detail: withRedact(event.detail, redact) }) };
}

/** A sentence for what a person can mend, where SDKs and `fetch` only say that it did not work. */
function told(thrown: unknown, endpoint: KnownEndpoint): unknown {
  if (isProviderError(thrown)) return thrown;
  const error = readThrown(thrown, {}, "invalid-request");
  if (error.status !== undefined || error.kind === "timeout") return thrown;
  const failed = unreachable(thrown, endpoint.baseURL === undefined ? undefined : readURL(endpoint.baseURL)?.host);
  return failed ?? unsendable(endpoint, thrown) ?? (error.kind === "auth" ? keyless(endpoint, thrown) : undefined) ?? thrown;
}

/** Bytes that no HTTP header can hold; blanks around a value are taken off. https://fetch.spec.whatwg.org/#header-value */
const unfitForHeader = /[^\t\x20-\x7e\x80-\xff]/;
const unfit = "holds a line break or another character that an HTTP header cannot hold";

function unsendable({ apiKey, secrets = [], headers = {}, baseURL, fetch }: KnownEndpoint, cause: unknown): ProviderError | undefined {
  if ([apiKey, ...secrets].some((key) => unfitForHeader.test(key?.trim() ?? "")))
    return new ProviderError(`The API key ${unfit}. Copy the key again, without what stands around it.`, { kind: "auth", cause });
  const header = Object.entries(headers).find(([, value]) => unfitForHeader.test(String(value).trim()))?.[0];
  if (header !== undefined)
    return new ProviderError(`The value of the header "${header}" ${unfit}. Correct \`headers\`.`, { kind: "invalid-request", cause });
  const url = baseURL === undefined ? undefined : readURL(baseURL);
  if (baseURL !== undefined && url === undefined)
    return new ProviderError("`baseURL` is not a valid URL. It has the form https://host/path.", { kind: "invalid-request", cause });
  // A `fetch` of the caller's may take such a URL.
  if (url === undefined || fetch !== undefined || `${url.username}${url.password}` === "") return undefined;
  const said = "`baseURL` holds a user name or a password, and `fetch` takes no such URL.";
  return new ProviderError(`${said} Take it out of \`baseURL\`, and send it in \`headers\` as "authorization".`, {
    kind: "invalid-request",
    cause,
  });
}

function keyless({ apiKey, secrets = [], name = "the provider", keyVariable }: KnownEndpoint, cause: unknown): ProviderError | undefined {
  if (keyVariable === undefined || [apiKey, ...secrets].some((key) => key)) return undefined;
  return new ProviderError(`No API key for ${name}: pass \`apiKey\`, or set the environment variable ${keyVariable}.`, {
    kind: "auth",
    cause,
  });
}
