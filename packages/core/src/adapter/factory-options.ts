import type { Adapter, Endpoint } from "../contract/adapter.ts";
import { checkOptions } from "../options/check-options.ts";
import {
  anyFunction,
  anyObject,
  anyText,
  type OptionKinds,
  oneOf,
  positiveInteger,
  trueOrFalse,
} from "../options/kinds.ts";
import type { OutputFormatOption } from "./format-option.ts";

/** Options that most adapters have. */
export interface CommonOptions extends Endpoint {
  /** The vendor's client, or another of its shape. */
  readonly client?: unknown;
  /** Parameters of the provider's API, sent with every request. */
  readonly params?: object | undefined;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Output caps in tokens. */
  readonly maxTokens?: Adapter["maxTokens"] | undefined;
  /** `false` requests the reply in one piece. */
  readonly stream?: boolean | undefined;
  /** Native stop reasons of the host, added to those of the protocol. */
  readonly stops?: object | undefined;
  /** The host reports replies as finished although the output cap cut them. */
  readonly mislabelsTruncation?: boolean | undefined;
  /** When the host takes the protocol's format for an object. */
  readonly outputFormat?: OutputFormatOption | undefined;
}

/** The kinds of the options that say how a provider is reached. */
export const endpointKinds: OptionKinds<Required<Endpoint>> = {
  baseURL: anyText,
  apiKey: anyText,
  fetch: anyFunction,
};

/** The kinds of the options that most adapters have. */
export const commonKinds: OptionKinds<Required<CommonOptions>> = {
  ...endpointKinds,
  client: anyObject,
  params: anyObject,
  headers: anyObject,
  maxTokens: anyObject,
  stream: trueOrFalse,
  stops: anyObject,
  mislabelsTruncation: trueOrFalse,
  outputFormat: oneOf("always", "without-tools", "never"),
};

const capKinds: OptionKinds<Required<NonNullable<Adapter["maxTokens"]>>> = {
  default: positiveInteger,
  ceiling: positiveInteger,
  floor: positiveInteger,
};

/** Names of these options in SDKs and other libraries. */
const factoryAliases: Readonly<Record<string, string>> = {
  key: "apiKey",
  authtoken: "apiKey",
  url: "baseURL",
  endpoint: "baseURL",
  apibase: "baseURL",
  apiurl: "baseURL",
  defaultheaders: "headers",
  extraheaders: "headers",
  maxoutputtokens: "maxTokens",
  maxcompletiontokens: "maxTokens",
  streaming: "stream",
  provideroptions: "params",
  modelkwargs: "params",
  modelsettings: "params",
  extrabody: "params",
  body: "params",
};
const parameters: ReadonlySet<string> = new Set([
  "temperature",
  "topp",
  "topk",
  "seed",
  "stop",
  "stopsequences",
  "presencepenalty",
  "frequencypenalty",
  "thinking",
  "reasoning",
  "reasoningeffort",
  "servicetier",
  "metadata",
  "paralleltoolcalls",
  "responseformat",
  "safetysettings",
  "logprobs",
  "user",
]);
const ofRuns: ReadonlySet<string> = new Set(["maxretries", "retries", "timeout", "timeoutms"]);

function advise(letters: string): string | undefined {
  if (parameters.has(letters))
    return "Parameters of the provider belong in `params`, under the provider's own names.";
  return ofRuns.has(letters)
    ? "Retries and time limits belong to the caller: `recovery` and `limits` of `run`, or `idleMs` and `firstEventMs` of `readTurn`."
    : undefined;
}

/**
 * Checks the options of the factory of an adapter. No error contains a value.
 * @throws TypeError or RangeError that names the option, and the one that was probably meant.
 */
export function checkAdapterOptions<Options extends object>(
  options: Options,
  kinds: OptionKinds<Required<Options>>,
  of: string,
): void {
  checkOptions(options, kinds, { of, aliases: aliasesOf(kinds), advise, hidesValues: true });
  const { maxTokens } = options as CommonOptions;
  if (maxTokens !== undefined)
    checkOptions(maxTokens, capKinds, { parent: "maxTokens", hidesValues: true });
}

const aliasesOf = (kinds: object): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(factoryAliases).filter(([, option]) => Object.hasOwn(kinds, option)),
  );
