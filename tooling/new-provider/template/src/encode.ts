import type {
  AssistantBlock,
  Message,
  ToolCallBlock,
  ToolResultBlock,
  TurnRequest,
  UserMessage,
} from "@fullstop/core";
import type { AcmeMemo } from "./decode.ts";

type AcmeItem =
  | { readonly user: string }
  | { readonly model: string }
  | { readonly tool: string; readonly name: string; readonly json: string }
  | { readonly result: string; readonly text: string; readonly failed: boolean }
  | AcmeMemo;

/** The request of the API. https://docs.acme.example/chat */
export interface AcmeRequest {
  readonly model: string;
  readonly stream: boolean;
  readonly system?: string | undefined;
  readonly talk: readonly AcmeItem[];
  readonly tools: readonly unknown[];
  readonly choice?: TurnRequest["toolChoice"];
  readonly max_tokens?: number | undefined;
  /** A JSON Schema: the text of the reply is an object of it. */
  readonly format?: unknown;
}

/**
 * Encodes a request. Each valid history can be encoded: the core has already adapted the ids
 * and removed content that only another provider understands.
 */
export const encode = (
  { system, messages, tools = [], toolChoice, maxTokens, output }: TurnRequest,
  { model, stream }: Pick<AcmeRequest, "model" | "stream">,
): AcmeRequest => ({
  model,
  stream,
  system,
  talk: messages.flatMap(encodeMessage),
  tools: tools.map((tool) => ("provider" in tool ? tool.definition : tool)),
  choice: toolChoice,
  max_tokens: maxTokens,
  format: output?.schema,
});

const encodeMessage = (message: Message): readonly AcmeItem[] =>
  message.role === "user"
    ? [{ user: textOf(message.content) }]
    : message.content.flatMap(encodeBlock);

function encodeBlock(block: AssistantBlock | ToolResultBlock): readonly AcmeItem[] {
  switch (block.type) {
    case "text":
      return [{ model: block.text }];
    case "tool-call":
      return [{ tool: block.id, name: block.name, json: encodeInput(block) }];
    case "tool-result":
      return [{ result: block.id, text: textOf(block.content), failed: block.isError ?? false }];
    case "native":
      return [block.data as AcmeMemo];
    case "thinking":
      return [];
  }
}

/** Inputs go back unchanged. The API accepts neither free-form nor empty inputs. */
const encodeInput = ({ inputText, kind }: ToolCallBlock): string =>
  kind === "text" ? JSON.stringify({ text: inputText }) : inputText.trim() || "{}";

/** The API accepts only text. A note replaces each file. */
const textOf = (content: UserMessage["content"] | ToolResultBlock["content"]): string =>
  typeof content === "string"
    ? content
    : content
        .map((block) =>
          block.type === "text"
            ? block.text
            : `[A file of type ${block.mediaType ?? "unknown"} is left out here.]`,
        )
        .join("\n\n");
