import type { Adapter, AdapterSpec, Endpoint, OutputFormat } from "../contract/adapter.ts";
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

/**
 * What a caller knows about a host: when it takes the protocol's format for `request.output`.
 * `"never"`: the object is requested as the input of a tool.
 */
export type OutputFormatOption = OutputFormat | "never";

/** Options of every adapter over a vendor's SDK. */
export interface AdapterOptions<Client, Params> extends Endpoint {
  /**
   * Your own client, with its own endpoint and credentials: `baseURL`, `apiKey` and `fetch` are
   * then ignored.
   */
  readonly client?: Client | undefined;
  /**
   * Parameters of the provider's API, sent with every request. The request's own values win. The
   * output cap belongs in `maxTokens`.
   */
  readonly params?: Params | undefined;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /**
   * Output caps in tokens. `default`: sent if the request has none. `ceiling`: the highest that the
   * model accepts.
   */
  readonly maxTokens?: Adapter["maxTokens"] | undefined;
  /** `false` requests the reply in one piece. The default is `true`. */
  readonly stream?: boolean | undefined;
  /**
   * When the host takes the protocol's format for an object. `"never"`: an object is requested as
   * the input of a tool. The default depends on the host and the model.
   */
  readonly outputFormat?: OutputFormatOption | undefined;
}

/** Options that most adapters have. */
export interface CommonOptions extends AdapterOptions<unknown, object> {
  /** Native stop reasons of the host, added to those of the protocol. */
  readonly stops?: object | undefined;
  /** The host reports replies as finished although the output cap cut them. */
  readonly mislabelsTruncation?: boolean | undefined;
}

/** The kinds of the options that say how a provider is reached. */
export const endpointKinds: OptionKinds<Required<Endpoint>> = {
  baseURL: anyText,
  apiKey: anyText,
  fetch: anyFunction,
};

/** The kinds of the options that most adapters have. */
export const commonKinds: OptionKinds<Required<CommonOptions>> = {
  baseURL: anyText,
  apiKey: anyText,
  fetch: anyFunction,
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

/**
 * Refuses parameters that contain the output cap: the gate must know the cap that is sent.
 * @param names the names of the cap in the protocol.
 * @throws TypeError that says where to set the cap.
 */
export function refuseCap(params: object | undefined, names: readonly string[]): void {
  const found = Object.entries(params ?? {}).find(
    ([name, value]) => names.includes(name) && value !== undefined,
  );
  if (found === undefined) return;
  const [name, value] = found;
  throw new TypeError(
    `\`params.${name}\` sets the output cap, which the gate must know. Set it as \`maxTokens: { default: ${String(value)} }\` of the adapter, or as \`maxTokens\` of the request.`,
  );
}

/** The adapter's `outputFormat`: the caller's option counts before what is known of the host. */
export function formatOption(
  option: OutputFormatOption | undefined,
  known: OutputFormat | undefined,
): Pick<AdapterSpec<unknown>, "outputFormat"> {
  const outputFormat = option ?? known;
  return outputFormat === undefined || outputFormat === "never" ? {} : { outputFormat };
}
