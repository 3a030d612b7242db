import type { ErrorTable } from "./error.ts";
import type { Decoder, Emit } from "./event.ts";
import type { Message, Origin } from "./message.ts";
import type { StopTable } from "./stop.ts";

/** A tool as the provider is told of it. `inputSchema` is a JSON Schema, or `"text"` for a free-form input. */
export interface ToolSpec {
  /** What the model calls it by. Most providers take letters, digits, `_` and `-`, 64 at most. */
  readonly name: string;
  /** What it does and when to use it, for the model. */
  readonly description: string;
  /** A JSON Schema of type `object`, or `"text"` for a free-form input. */
  readonly inputSchema: Readonly<Record<string, unknown>> | "text";
}
/** A tool that a provider defines (server tools, bash, computer): its own definition, verbatim. Other providers are not told of it. */
export interface NativeTool {
  /** The `provider` of the adapters that are told of it, such as `"anthropic"`. */
  readonly provider: string;
  /** Goes into the request as it is. */
  readonly definition: unknown;
  /** The name its calls carry, where the client runs them. */
  readonly name?: string;
}
/** How much a model is to think. */
export type Effort = "none" | "low" | "medium" | "high";

/** What is asked of a model for one turn. */
export interface TurnRequest {
  /** Instructions that stand before the conversation. */
  readonly system?: string | undefined;
  /** A valid history: see `validateHistory`. */
  readonly messages: readonly Message[];
  /** What the model may call. */
  readonly tools?: readonly (ToolSpec | NativeTool)[] | undefined;
  /** Must the model call a tool? The provider decides unless told. */
  readonly toolChoice?: "auto" | "none" | "required" | { readonly name: string } | undefined;
  /** The output cap, in tokens. */
  readonly maxTokens?: number | undefined;
  /** How much the model may think. */
  readonly effort?: Effort | undefined;
  /** `"auto"`: the beginning of the request may be cached, in the provider's own way and at its price. */
  readonly cache?: "auto" | "off" | undefined;
}

/** What a provider accepts as a call id: `allowed` must match the whole id. */
export interface CallIdRule {
  readonly maxLength: number;
  readonly allowed: RegExp;
}

/** Native events, those of one network chunk together; a batch may be empty, and shows that the line is alive. */
export interface EventBatches<Native> extends AsyncIterable<readonly Native[]> {
  /** What the HTTP head said, where there is one. */
  readonly head?: { readonly status: number; readonly requestId?: string | undefined } | undefined;
}

/**
 * One protocol of one provider, bound to a model.
 * Plain data and functions without `this`, so that `{ ...adapter, stops }` specialises one.
 */
export interface AdapterSpec<Native> extends Origin {
  /** The provider's words for why a reply ended, and what each means. With a word that is missing no call runs. */
  readonly stops: StopTable;
  /** Native error codes to kinds. */
  readonly errors?: ErrorTable;
  /** Does the protocol close each call, or only the turn? */
  readonly toolInputEnd: "explicit" | "implicit";
  readonly callIds?: CallIdRule;
  /** Output caps in tokens: the one sent where the request names none, the highest that the model takes, and the least that a host leaves as it is. */
  readonly maxTokens?: {
    readonly default?: number | undefined;
    readonly ceiling?: number | undefined;
    readonly floor?: number | undefined;
  };
  /** A host known to call a cut reply whole: calls then need a usage to compare with the cap. */
  readonly mislabelsTruncation?: boolean;
  /** What a person can do where this protocol's own end never comes: one sentence, added to the error. */
  readonly missingEndHint?: string;
  /** Sends one request. May reject with anything: the core reads it by its shape and by `errors`. */
  open(request: TurnRequest, signal: AbortSignal): Promise<EventBatches<Native>>;
  /** The protocol makes an output cap compulsory in every request. */
  readonly capRequired?: true;
  /** What the gate needs of a request in the protocol's own words: its output cap, and its tools with their schemas. */
  readSent?(body: unknown): Pick<TurnRequest, "maxTokens" | "tools">;
  /** A fresh reader for one reply. A whole (not streamed) reply is one native event. */
  decoder(emit: Emit): Decoder<Native>;
}
/** What `readTurn` and the loop take: an `AdapterSpec` whose native events nobody outside needs to know. */
export interface Adapter extends AdapterSpec<unknown> {
  readonly contract: 1;
}

/** Types the decoder by its native events, and hides that type from those who use the adapter. */
export const defineAdapter = <Native>(spec: AdapterSpec<Native>): Adapter =>
  ({ ...spec, contract: 1 }) as Adapter;

/** Where a provider is, and how to reach it. */
export interface Endpoint {
  /** The provider's own unless given. */
  readonly baseURL?: string | undefined;
  /** That of the provider's environment variable unless given. */
  readonly apiKey?: string | undefined;
  /** The global one unless given: for proxies, workers and tests. */
  readonly fetch?: typeof globalThis.fetch | undefined;
}

/**
 * Refuses parameters that hold the output cap: the cap that is sent must be the cap that the gate knows.
 * @param names the protocol's own names of the cap.
 * @throws TypeError that says where the cap belongs.
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
