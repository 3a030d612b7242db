import type {
  ContentBlockStopEvent,
  ConverseResponse,
  ConverseStreamMetadataEvent,
  MessageStartEvent,
  MessageStopEvent,
  ToolResultBlock,
  ToolResultBlockStart,
  ToolUseBlock,
  ToolUseBlockStart,
} from "@aws-sdk/client-bedrock-runtime";
import type { Blob64 } from "./base64.ts";

/** The start of a content block. Text and reasoning have none. */
export interface BlockStart {
  readonly toolUse?: Partial<ToolUseBlockStart> | undefined;
  /** The result of a tool that the service ran. */
  readonly toolResult?: Partial<ToolResultBlockStart> | undefined;
  readonly image?: { readonly format?: string | undefined } | undefined;
}

export interface BlockDelta {
  readonly text?: string | undefined;
  readonly toolUse?: { readonly input?: string | undefined } | undefined;
  readonly reasoningContent?: ReasoningDelta | undefined;
  readonly citation?: object | undefined;
  readonly toolResult?: readonly object[] | undefined;
  readonly image?: object | undefined;
}
export interface ReasoningDelta {
  readonly text?: string | undefined;
  readonly signature?: string | undefined;
  readonly redactedContent?: Blob64 | undefined;
}

export interface WholeBlock {
  readonly text?: string | undefined;
  readonly toolUse?: Partial<ToolUseBlock> | undefined;
  readonly reasoningContent?:
    | {
        readonly reasoningText?: { readonly text?: string; readonly signature?: string };
        readonly redactedContent?: Blob64;
      }
    | undefined;
  readonly citationsContent?:
    | {
        readonly content?: readonly { readonly text?: string }[];
        readonly citations?: readonly object[];
      }
    | undefined;
  readonly toolResult?: Partial<ToolResultBlock> | undefined;
}

interface Whole extends Partial<Omit<ConverseResponse, "output">> {
  readonly output?: { readonly message?: { readonly content?: readonly WholeBlock[] } };
}

interface Indexed {
  readonly contentBlockIndex?: number | undefined;
}

/**
 * An event of ConverseStream, as one member of the SDK's union, or the body of Converse. Blobs are
 * base64. An exception has its own name as its member, and as `:exception-type` if it came in a
 * stream. An error without a model has `:error-code`. The body of an error has `message`.
 */
export interface BedrockEvent extends Whole {
  readonly messageStart?: MessageStartEvent;
  readonly contentBlockStart?: Indexed & { readonly start?: BlockStart | undefined };
  readonly contentBlockDelta?: Indexed & { readonly delta?: BlockDelta | undefined };
  readonly contentBlockStop?: ContentBlockStopEvent;
  readonly messageStop?: MessageStopEvent;
  readonly metadata?: Partial<ConverseStreamMetadataEvent>;
  readonly ":exception-type"?: string;
  readonly ":error-code"?: string;
  readonly ":error-message"?: string;
  readonly __type?: string;
  readonly message?: string;
}
