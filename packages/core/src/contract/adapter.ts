import type { ErrorTable } from "./error.ts";
import type { Decoder, Emit } from "./event.ts";
import type { MediaReference, Message, Origin } from "./message.ts";
import type { StopTable } from "./stop-table.ts";

/**
 * A tool that the model may call. `inputSchema` is a JSON Schema, or `"text"` for a free-form
 * input.
 */
export interface ToolSpec {
  /**
   * The name under which the model calls it. Most providers accept letters, digits, `_` and `-`, at
   * most 64.
   */
  readonly name: string;
  /** What the tool does and when to use it. The model reads this. */
  readonly description: string;
  /** A JSON Schema of type `object`, or `"text"` for a free-form input. */
  readonly inputSchema: Readonly<Record<string, unknown>> | "text";
}
/**
 * A tool that a provider defines (server tools, bash, computer). Its definition is sent verbatim,
 * and only to that provider.
 */
export interface NativeTool {
  /** Only adapters with this `provider` send it, such as `"anthropic"`. */
  readonly provider: string;
  /** Sent in the request as it is. */
  readonly definition: unknown;
  /** The name in its calls, if the program runs them. */
  readonly name?: string;
}
/** What a reply must be: one JSON object of this schema, as its whole text. */
export interface OutputSpec {
  /**
   * A name that some providers require: letters, digits, `_` and `-`, at most 64. Default:
   * `"output"`.
   */
  readonly name?: string | undefined;
  /** A JSON Schema of type `object`. */
  readonly schema: Readonly<Record<string, unknown>>;
}
/** How much the model should think. */
export type Effort = "none" | "low" | "medium" | "high";

/** The request for one turn. */
export interface TurnRequest {
  /** Instructions before the conversation. */
  readonly system?: string | undefined;
  /** A valid history. `validateHistory` checks one. */
  readonly messages: readonly Message[];
  /** The tools that the model may call. */
  readonly tools?: readonly (ToolSpec | NativeTool)[] | undefined;
  /** Whether the model must call a tool, and which. By default the provider decides. */
  readonly toolChoice?: "auto" | "none" | "required" | { readonly name: string } | undefined;
  /**
   * The reply must be an object of this schema. Only an adapter with an `outputFormat` sends it;
   * `readObject` also works with the others. The gate reports it as `turn.output`.
   */
  readonly output?: OutputSpec | undefined;
  /** The output cap, in tokens. */
  readonly maxTokens?: number | undefined;
  /** How much the model should think. By default the provider decides. */
  readonly effort?: Effort | undefined;
  /**
   * `"auto"`: the provider may cache the beginning of the request, in its own way and at its price.
   */
  readonly cache?: "auto" | "off" | undefined;
}

/** What a provider accepts as a call id. `allowed` must match the whole id. */
export interface CallIdRule {
  /** The largest number of characters. */
  readonly maxLength: number;
  /** Must match the whole id. */
  readonly allowed: RegExp;
}

/**
 * The native events of a reply. A batch holds those of one network chunk. An empty batch shows that
 * the connection is alive.
 */
export interface EventBatches<Native> extends AsyncIterable<readonly Native[]> {
  /** The status and the request id of the HTTP response, if there was one. */
  readonly head?: { readonly status: number; readonly requestId?: string | undefined } | undefined;
}

/**
 * How the replies of one protocol are read: all that a gate needs. Needs neither a client nor a
 * network. `createGate` takes one; an `Adapter` is one, too.
 */
export interface ReplySpec<Native> extends Origin {
  /**
   * What each native stop reason means. No call runs under a native stop reason that is missing
   * here.
   */
  readonly stops: StopTable;
  /** The kind of each native error code. */
  readonly errors?: ErrorTable;
  /**
   * `"explicit"`: the protocol says of each tool input that it is complete. `"implicit"`: only the
   * end of the reply says so.
   */
  readonly toolInputEnd: "explicit" | "implicit";
  /**
   * The host reports cut replies as finished. A call then runs only if the usage is below the
   * output cap.
   */
  readonly mislabelsTruncation?: boolean;
  /**
   * One sentence that is added to the error if the protocol's own end did not come: what a person
   * can do. With `afterStopReason` it is added only if the reply had a stop reason.
   */
  readonly missingEndHint?: string | { readonly afterStopReason: string };
  /** The protocol requires an output cap in every request. */
  readonly capRequired?: true;
  /**
   * Reads the output cap, the tools with their schemas, and the object that was asked for, from a
   * request body of this protocol.
   */
  readSent?(body: unknown): Pick<TurnRequest, "maxTokens" | "tools" | "output">;
  /** Creates a decoder for one reply. A reply that is not streamed is one native event. */
  decoder(emit: Emit): Decoder<Native>;
}
/** A `ReplySpec` without the type of its native events: what `createGate` takes. */
export interface ReplyReader extends ReplySpec<unknown> {}

/** Checks the decoder against its native events, and hides their type. */
export const defineReplyReader = <Native>(spec: ReplySpec<Native>): ReplyReader =>
  spec as ReplyReader;

/**
 * When a provider's format for `request.output` can be sent. `"without-tools"`: not in a request
 * that offers tools.
 */
export type OutputFormat = "always" | "without-tools";

/**
 * One protocol of one provider, bound to a model. Plain data and functions without `this`: `{
 * ...adapter, stops }` is an adapter with another table.
 */
export interface AdapterSpec<Native> extends ReplySpec<Native> {
  /** What the provider accepts as a call id. Absent: any id. */
  readonly callIds?: CallIdRule;
  /** Output caps in tokens. */
  readonly maxTokens?: {
    /** Sent if the request has none. */
    readonly default?: number | undefined;
    /** The highest that the model accepts. */
    readonly ceiling?: number | undefined;
    /** The lowest that the host does not raise by itself. */
    readonly floor?: number | undefined;
  };
  /**
   * The provider has a format for `request.output`. If it is absent, the object is requested as the
   * input of a tool.
   */
  readonly outputFormat?: OutputFormat | undefined;
  /**
   * Whether the format can express a schema. If it cannot, the object is requested as the input of
   * a tool. If this member is absent, the format takes every schema.
   */
  readonly formatTakes?: (schema: OutputSpec["schema"]) => boolean;
  /**
   * Why the provider cannot load an image or a file by its URL or file id; `undefined` if it can.
   * A clause that ends without a full stop. `place`: the block is part of a user message, or of a
   * tool result. If the function is absent, the provider loads none.
   */
  refuseReference?(block: MediaReference, place: "user" | "tool"): string | undefined;
  /** The host of the next request, if it is known before it is sent. For telemetry. */
  server?(): { readonly address: string; readonly port: number } | undefined;
  /**
   * Sends one request. If it has an `output`, the format takes it. May reject with any value: the
   * core reads its shape, and `errors`.
   */
  open(request: TurnRequest, signal: AbortSignal): Promise<EventBatches<Native>>;
}
/** An `AdapterSpec` without the type of its native events: what `readTurn` and the loop take. */
export interface Adapter extends AdapterSpec<unknown> {
  /** The version of this contract. */
  readonly contract: 1;
}

/**
 * Checks the decoder against its native events, and hides their type.
 * @throws TypeError if `model` is not a name.
 */
export function defineAdapter<Native>(spec: AdapterSpec<Native>): Adapter {
  if (typeof spec.model !== "string" || spec.model === "")
    throw new TypeError(`The adapter of ${spec.provider} needs the name of a model.`);
  return { ...spec, contract: 1 } as Adapter;
}

/** The address of a provider, and how to reach it. */
export interface Endpoint {
  /** The provider's own address by default. */
  readonly baseURL?: string | undefined;
  /** By default the key in the provider's environment variable. */
  readonly apiKey?: string | undefined;
  /** The global `fetch` by default. For proxies, workers and tests. */
  readonly fetch?: typeof globalThis.fetch | undefined;
}
