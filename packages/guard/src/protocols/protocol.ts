import type { ToolCallBlock } from "@fullstop/core";
import { type Frame, type ParseEvent, stringifyJson } from "@fullstop/core/adapter";
import type { ProtocolName } from "../options.ts";

/** The part of a frame that an editor sees. */
export type ReplyFrame = Frame<unknown>;

/**
 * What may happen with an event before the verdict.
 *
 * - `live`: it goes out at once, and so do all pending events before it;
 * - `opening`: it begins a reply, without content. It waits for the next live event, or for the
 *   verdict;
 * - `pending`: the same for all other events without content: unknown ones, and the end of the reply;
 * - `call`: a part of a tool call. It and everything behind it wait for the verdict.
 */
export type EventClass = "live" | "opening" | "pending" | "call";

/** A call that may run, with an id that is unique. */
export type GrantedCall = ToolCallBlock;

export interface Edit {
  /** The calls that stand in place of those that came. Empty if they are withheld. */
  readonly calls: readonly GrantedCall[];
  readonly note?: string | undefined;
  /** `keep`: the provider's own stop reason. `length`: the output limit. `calls`: tool calls. */
  readonly ending: "keep" | "length" | "calls";
  /** The model declined. Its own stop reason may be one for calls. */
  readonly isRefusal?: boolean;
}

/** Why a reply ends as an error. `message` is for a person. */
export interface Failure {
  readonly status: number;
  /** The same request may succeed later. */
  readonly isRetryable: boolean;
  /** How long the client should wait. By default as short as clients of a broken reply may. */
  readonly retryAfterMs?: number;
  readonly message: string;
}

export interface CallReader {
  /** `raw`: the text that the event came in. */
  add(native: unknown, raw?: string): void;
  /**
   * Whether a client that reads the held events as they are finds exactly these calls, each once.
   * `isStrict`: and in the strict form of the protocol.
   */
  says(calls: readonly GrantedCall[], isStrict: boolean): boolean;
}

/** Edits one streamed reply. Created for each reply; never decides whether calls may run. */
export interface StreamEditor {
  /** For each event up to the first call, in order; for those after it if the reply is edited. */
  classify(native: unknown): EventClass;
  /**
   * Whether an event or a body has a call in a form that the gate does not judge: some clients read
   * it, others do not. Asked before `classify`.
   */
  hasForeignCall?(native: unknown): boolean;
  createCallReader(): CallReader;
  /** The text of the held events with their calls replaced. All other events keep their text. */
  edit(held: readonly ReplyFrame[], edit: Edit): string;
  /** Whether an event ends a reply, if clients run the calls again when a second one comes. */
  isEnd?(native: unknown): boolean;
  /** The text that ends the reply as an error after parts of it were sent. Default: `failBody`. */
  fail?(failure: Failure): string;
}

export interface BodyEditor {
  /** Whether the body holds a part of a tool call, also one that the client cannot run. */
  hasCalls(body: unknown): boolean;
  says(body: unknown, calls: readonly GrantedCall[], isStrict: boolean): boolean;
  edit(body: unknown, edit: Edit): unknown;
}

export interface Protocol {
  readonly name: ProtocolName;
  readonly parse: ParseEvent<unknown>;
  /** The event that the gate reads, if a native event only holds it. */
  readonly read?: (native: unknown) => unknown;
  /** An error instead of a reply, as the vendor writes it. */
  failBody(failure: Failure): unknown;
  /** A text that clients ignore, which shows that the connection is alive. */
  readonly keepAlive: string;
  /** Whether the connection breaks after an error, or ends as usual. */
  readonly afterError: "break" | "end";
  readonly body: BodyEditor;
  createEditor(): StreamEditor;
}

/** An event of a stream as text. `name` is the name of the event. */
export const eventText = (native: unknown, name?: string): string =>
  `${name === undefined ? "" : `event: ${name}\n`}data: ${stringifyJson(native)}\n\n`;

const blankLines = ["\n\n", "\n\r\n", "\r\r"];
/** Whether a text of a stream ends with the blank line of an event. */
export const endsEvent = (text: string): boolean =>
  blankLines.some((blank) => text.endsWith(blank)) || /^[\r\n]*$/.test(text);

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
