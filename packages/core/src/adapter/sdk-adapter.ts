import {
  type Adapter,
  type AdapterSpec,
  defineAdapter,
  type EventBatches,
  type TurnRequest,
} from "../contract/adapter.ts";
import { ProviderError } from "../contract/error.ts";
import { withEndpoint } from "../transport/endpoint.ts";
import type { KnownEndpoint } from "../transport/secrets.ts";
import { type AdapterOptions, formatOption } from "./factory-options.ts";

/** How an adapter makes a client of a vendor's SDK. */
export interface SdkSource<Client, Sdk> {
  /** The SDK's name on npm. */
  readonly name: string;
  /** Imports it, with the name written out, so that bundlers find it. */
  load(): Promise<Sdk>;
  /** Called once, for the first request. If it throws, the next request calls it again. */
  create(sdk: Sdk): Client;
}

/** The client of an adapter. It may not exist before the first request. */
export interface SdkClient<Client> {
  /** Rejects if the SDK cannot be loaded, or if the request was aborted while it was loading. */
  get(signal: AbortSignal): Promise<Client>;
  /** For `withEndpoint`: a client knows keys. */
  readonly known: Client | undefined;
}

/** The SDK begins to load at once, and only the first request waits for it. */
export function sdkClient<Client, Sdk>(
  given: Client | undefined,
  { name, load, create }: SdkSource<Client, Sdk>,
): SdkClient<Client> {
  let known = given;
  let loading: Promise<Sdk> | undefined;
  const loadOnce = (): Promise<Sdk> => {
    loading ??= load().catch((cause: unknown) => {
      loading = undefined;
      throw cannotLoad(name, cause);
    });
    return loading;
  };
  // The first request tries again, and gives out the error.
  if (given === undefined) loadOnce().catch(() => undefined);
  return {
    async get(signal) {
      if (known !== undefined) return known;
      const sdk = await loadOnce();
      signal.throwIfAborted();
      known ??= create(sdk);
      return known;
    },
    get known() {
      return known;
    },
  };
}

const cannotLoad = (name: string, cause: unknown): ProviderError =>
  new ProviderError(
    `\`${name}\` cannot be loaded (${cause instanceof Error ? cause.message : String(cause)}). If it is not installed, run \`npm install ${name}\`.`,
    { kind: "invalid-request", cause },
  );

/** How an adapter over an SDK differs from others. */
export interface SdkAdapterSpec<Client, Sdk, Native> extends Omit<AdapterSpec<Native>, "open"> {
  readonly sdk: SdkSource<Client, Sdk>;
  /** What errors say and hide; `baseURL` is the default. The options and the client are known. */
  endpoint(): KnownEndpoint;
  /** Encodes a request, sends it once, and gives the native events of the reply. */
  send(client: Client, request: TurnRequest, signal: AbortSignal): Promise<EventBatches<Native>>;
}

/** An adapter over the client of the options, or over one of the vendor's SDK. */
export function sdkAdapter<Client, Sdk, Native>(
  options: AdapterOptions<Client, object>,
  { sdk, endpoint, send, outputFormat, ...spec }: SdkAdapterSpec<Client, Sdk, Native>,
): Adapter {
  const client = sdkClient(options.client, sdk);
  const adapter = defineAdapter<Native>({
    ...spec,
    ...formatOption(options.outputFormat, outputFormat),
    open: async (request, signal) => send(await client.get(signal), request, signal),
  });
  return withEndpoint(adapter, () => {
    const known = endpoint();
    // A client of the caller has an address of its own.
    const baseURL = options.client === undefined ? (options.baseURL ?? known.baseURL) : undefined;
    return { ...options, client: client.known, ...known, baseURL };
  });
}
