import { ProviderError } from "../contract/error.ts";

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

/**
 * The caller's client, or one of the vendor's SDK. The SDK begins to load at once, and only the
 * first request waits for it: importing an adapter does not load an SDK.
 */
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
