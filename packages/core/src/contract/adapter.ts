import type { ErrorTable } from "./error.ts";
import type { Decoder, Emit } from "./event.ts";
import type { Message, Origin } from "./message.ts";
import type { StopTable } from "./stop-table.ts";

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
 * How the replies of one protocol are read: all that a gate needs. Needs neither a client nor a network.
 * `createGate` takes one; an `Adapter` is one, too.
 */
export interface ReplySpec<Native> extends Origin {
  /** What each native stop reason means. No call runs under a native stop reason that is missing here. */
  readonly stops: StopTable;
  /** The kind of each native error code. */
  readonly errors?: ErrorTable;
  /** `"explicit"`: the protocol says of each tool input that it is complete. `"implicit"`: only the end of the reply says so. */
  readonly toolInputEnd: "explicit" | "implicit";
  /** The host reports cut replies as finished. A call then runs only if the usage is below the output cap. */
  readonly mislabelsTruncation?: boolean;
  /** One sentence that is added to the error if the protocol's own end did not come: what a person can do. */
  readonly missingEndHint?: string;
  /** The protocol requires an output cap in every request. */
  readonly capRequired?: true;
  /** Reads the output cap, and the tools with their schemas, from a request body of this protocol. */
  readSent?(body: unknown): Pick<TurnRequest, "maxTokens" | "tools">;
  /** Creates a decoder for one reply. A reply that is not streamed is one native event. */
  decoder(emit: Emit): Decoder<Native>;
}
/** A `ReplySpec` without the type of its native events: what `createGate` takes. */
export interface ReplyReader extends ReplySpec<unknown> {}

/** Checks the decoder against its native events, and hides their type. */
export const defineReplyReader = <Native>(spec: ReplySpec<Native>): ReplyReader =>
  spec as ReplyReader;

/**
 * One protocol of one provider, bound to a model.
 * Plain data and functions without `this`: `{ ...adapter, stops }` is an adapter with another table.
 */
export interface AdapterSpec<Native> extends ReplySpec<Native> {
  readonly callIds?: CallIdRule;
  /**
   * Output caps in tokens. `default`: sent if the request has none. `ceiling`: the highest that the model accepts.
   * `floor`: the lowest that the host does not raise by itself.
   */
  readonly maxTokens?: {
    readonly default?: number | undefined;
    readonly ceiling?: number | undefined;
    readonly floor?: number | undefined;
  };
  /** Sends one request. May reject with any value: the core reads its shape, and `errors`. */
  open(request: TurnRequest, signal: AbortSignal): Promise<EventBatches<Native>>;
}
/** An `AdapterSpec` without the type of its native events: what `readTurn` and the loop take. */
export interface Adapter extends AdapterSpec<unknown> {
  readonly contract: 1;
}

/** Checks the decoder against its native events, and hides their type. */
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
