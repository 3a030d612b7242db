import type { StopReason } from "./stop.ts";

/** Who wrote a message. */
export interface Origin {
  /** The company or gateway that the request goes to, such as `"anthropic"`. */
  readonly provider: string;
  /** The protocol of its replies, such as `"anthropic-messages"`. */
  readonly protocol: string;
  /** The provider's name of the model. */
  readonly model: string;
}

interface WithProviderData {
  /** Opaque data of the provider, sent back with this block. */
  readonly providerData?: unknown;
}
/** Text of a person or of the model. */
export interface TextBlock extends WithProviderData {
  readonly type: "text";
  /** What was said. */
  readonly text: string;
}
/** Reasoning of the model, as far as its provider shows it. */
export interface ThinkingBlock extends WithProviderData {
  readonly type: "thinking";
  /** The reasoning, or a summary of it. May be empty. */
  readonly text: string;
}
/**
 * A call in history. It is plain data that any program may write or store, and gives no permission
 * to run anything. `inputText` is what the model wrote, byte for byte, and is sent back as it is.
 */
export interface ToolCallBlock extends WithProviderData {
  readonly type: "tool-call";
  /** Unique in its history. */
  readonly id: string;
  /** The provider's own id, if it gave one. A later turn may reuse it. */
  readonly nativeId?: string;
  /** The tool that the model calls. */
  readonly name: string;
  /** What the model wrote as the input, byte for byte. */
  readonly inputText: string;
  /** The input of a free-form tool: text, not JSON. */
  readonly kind?: "text";
  /** The provider asks whether it may run one of its own tools: the result is the answer. */
  readonly asks?: "approval";
  /** Completed by the tool's `salvage`, not by the model. */
  readonly by?: "loop";
}
/**
 * A block that only its provider understands. It is kept verbatim. `opens` and `closes` connect a
 * server call with its result.
 */
export interface NativeBlock {
  readonly type: "native";
  /** The provider's own block. */
  readonly data: unknown;
  /** The id of the server call that it is. */
  readonly opens?: string;
  /** The id of the server call whose result it is. */
  readonly closes?: string;
}
/** The bytes of an image or a file. */
export interface MediaData {
  /** Such as `image/png` or `application/pdf`. */
  readonly mediaType: string;
  /** In base64. */
  readonly data: string;
  readonly url?: undefined;
  readonly fileId?: undefined;
}
/** The address of an image or a file. The provider loads it. */
export interface MediaUrl {
  /** `https://` or `http://`. The provider must be able to load it without credentials. */
  readonly url: string;
  /** Some providers require it. */
  readonly mediaType?: string | undefined;
  readonly data?: undefined;
  readonly fileId?: undefined;
}
/** An image or a file that was uploaded to a provider. */
export interface MediaFileId {
  /** The id that the provider gave. */
  readonly fileId: string;
  /** The provider that knows the id: `provider` of its adapter, such as `"anthropic"`. */
  readonly provider: string;
  /** Some providers require it. */
  readonly mediaType?: string | undefined;
  readonly data?: undefined;
  readonly url?: undefined;
}
/**
 * Where the bytes of an image or a file are: in exactly one of `data`, `url` and `fileId`. Each
 * adapter says in its README what its provider loads.
 */
export type MediaSource = MediaData | MediaUrl | MediaFileId;
/** An image: its bytes, its URL, or the id of an uploaded file. */
export type ImageBlock = { readonly type: "image" } & MediaSource;
/** A file: its bytes, its URL, or the id of an uploaded file. */
export type FileBlock = { readonly type: "file"; readonly name?: string } & MediaSource;
/** A block that a person or a tool may give. */
export type ContentBlock = TextBlock | ImageBlock | FileBlock;
/** An image or a file that the provider loads by itself. */
export type MediaReference = (ImageBlock | FileBlock) & (MediaUrl | MediaFileId);
/** The result of a call. */
export interface ToolResultBlock {
  readonly type: "tool-result";
  /** The `id` of the call that it answers. */
  readonly id: string;
  /** The tool that was called. */
  readonly name: string;
  /** What the model reads: text or blocks. */
  readonly content: string | readonly (TextBlock | ImageBlock | FileBlock)[];
  /** The call failed or was not run, and `content` says why. */
  readonly isError?: boolean;
}

/** A message of a person, or a note of the loop: `by: "loop"`. */
export interface UserMessage {
  readonly role: "user";
  /** Text, or a list of text, image and file blocks. */
  readonly content: string | readonly (TextBlock | ImageBlock | FileBlock)[];
  /** Written by the loop, not by a person. */
  readonly by?: "loop";
}
/** One reply of a model, as it is stored and sent back. */
export interface AssistantMessage {
  readonly role: "assistant";
  /** What the model wrote, in its order. No block of it can be run. */
  readonly content: readonly (TextBlock | ThinkingBlock | ToolCallBlock | NativeBlock)[];
  /** Who wrote it. Absent: it is sent to each provider without what only one understands. */
  readonly from?: Origin;
  /** Why the reply ended, the same for every provider. */
  readonly stopReason?: StopReason;
  /** The provider's own stop reason. */
  readonly native?: NativeStop;
  readonly usage?: Usage;
  /** Data that continues a paused turn (Anthropic `container`, Gemini `continuationToken`). */
  readonly resume?: unknown;
}
/** A block of a reply. */
export type AssistantBlock = AssistantMessage["content"][number];
/** The results of the calls in the preceding message, in the same order. */
export interface ToolMessage {
  readonly role: "tool";
  /** One result for each call of the message before. */
  readonly content: readonly ToolResultBlock[];
}
/** A message of a conversation. It is plain JSON: it can be stored, and sent to any provider. */
export type Message = UserMessage | AssistantMessage | ToolMessage;

/** Tokens of one reply. */
export interface Usage {
  /** Includes cached tokens. */
  readonly input: number;
  /** Includes reasoning. */
  readonly output: number;
  /** The part of `input` that the provider read from its cache. */
  readonly cacheRead?: number;
  /** The part of `input` that the provider wrote to its cache. */
  readonly cacheWrite?: number;
  /**
   * The part of `output` that is reasoning. Set if it is unknown whether the output cap counts
   * reasoning; `towardCap` is `null` then.
   */
  readonly reasoning?: number;
  /**
   * The tokens that count toward the output cap, if these are not `output`. `null` if usage and cap
   * cannot be compared. If in doubt, leave it out.
   */
  readonly towardCap?: number | null;
}

/** The native stop reason, with its details. */
export interface NativeStop {
  /** The provider's own value, such as `max_tokens`. */
  readonly stop: string;
  /** What the provider adds to it. */
  readonly detail?: unknown;
}
