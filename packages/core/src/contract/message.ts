import type { StopReason } from "./stop.ts";

/** Who wrote something: once per message. */
export interface Origin {
  readonly provider: string;
  readonly protocol: string;
  readonly model: string;
}

interface WithProviderData {
  /** Opaque data of the origin, wanted back with this block. */
  readonly providerData?: unknown;
}
/** What a person or the model said. */
export interface TextBlock extends WithProviderData {
  readonly type: "text";
  readonly text: string;
}
/** What the model thought, as far as its provider shows it. */
export interface ThinkingBlock extends WithProviderData {
  readonly type: "thinking";
  readonly text: string;
}
/**
 * A call in history: plain data that anybody may write or store, and no licence to run anything.
 * `inputText` is what the model wrote, byte for byte; it is what gets replayed.
 */
export interface ToolCallBlock extends WithProviderData {
  readonly type: "tool-call";
  /** Unique in its history. */
  readonly id: string;
  /** The provider's own id, which may be reused in a later turn; absent where it gave none. */
  readonly nativeId?: string;
  readonly name: string;
  readonly inputText: string;
  /** A free-form tool's input: text, not JSON. */
  readonly kind?: "text";
  /** Written by the loop (salvage), not by the model. */
  readonly by?: "loop";
}
/** A block that only its origin understands, kept verbatim. `opens` and `closes` pair a server call with its result. */
export interface NativeBlock {
  readonly type: "native";
  readonly data: unknown;
  readonly opens?: string;
  readonly closes?: string;
}
/** `data` is base64. */
export interface ImageBlock {
  readonly type: "image";
  readonly mediaType: string;
  readonly data: string;
}
/** `data` is base64. */
export interface FileBlock {
  readonly type: "file";
  readonly mediaType: string;
  readonly data: string;
  readonly name?: string;
}
/** What came of a call: of the one with this `id`. */
export interface ToolResultBlock {
  readonly type: "tool-result";
  /** The `id` of the call that it answers. */
  readonly id: string;
  readonly name: string;
  readonly content: string | readonly (TextBlock | ImageBlock | FileBlock)[];
  readonly isError?: boolean;
}

/** `by: "loop"`: a note that no person wrote. */
export interface UserMessage {
  readonly role: "user";
  readonly content: string | readonly (TextBlock | ImageBlock | FileBlock)[];
  /** Written by the loop, not by a person. */
  readonly by?: "loop";
}
/** One reply of a model, as it is stored and sent back. */
export interface AssistantMessage {
  readonly role: "assistant";
  readonly content: readonly (TextBlock | ThinkingBlock | ToolCallBlock | NativeBlock)[];
  readonly from?: Origin;
  readonly stopReason?: StopReason;
  readonly native?: NativeStop;
  readonly usage?: Usage;
  /** What a paused turn needs back (Anthropic `container`, Gemini `continuationToken`). */
  readonly resume?: unknown;
}
/** What a reply may hold. */
export type AssistantBlock = AssistantMessage["content"][number];
/** The results of the calls before it, in their order. */
export interface ToolMessage {
  readonly role: "tool";
  readonly content: readonly ToolResultBlock[];
}
/** Plain JSON: what is stored, sent and handed from provider to provider. */
export type Message = UserMessage | AssistantMessage | ToolMessage;

/** Tokens of one reply, cumulative. */
export interface Usage {
  /** Cached tokens included. */
  readonly input: number;
  /** Thinking included. */
  readonly output: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
  /** How much of `output` is reasoning, where it is not known whether the cap counts that: `towardCap` is `null` then. */
  readonly reasoning?: number;
  /** What counts against the output cap where that is not `output`; `null` when the two cannot be compared. Saying nothing is the safe side. */
  readonly towardCap?: number | null;
}

/** The provider's own word for why it ended, with its details. */
export interface NativeStop {
  readonly stop: string;
  readonly detail?: unknown;
}
