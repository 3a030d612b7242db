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

/** What the API takes. https://docs.acme.example/chat */
export interface AcmeRequest {
  readonly model: string;
  readonly system?: string | undefined;
  readonly talk: readonly AcmeItem[];
  readonly tools: readonly unknown[];
  readonly choice?: TurnRequest["toolChoice"];
  readonly max_tokens?: number | undefined;
}

/**
 * A request in the shape of the API. Any valid history encodes: the core has fitted the ids before,
 * and taken out what only another provider understands.
 */
export const encode = (
  { system, messages, tools = [], toolChoice, maxTokens }: TurnRequest,
  model: string,
): AcmeRequest => ({
  model,
  system,
  talk: messages.flatMap(encodeMessage),
  tools: tools.map((tool) => ("provider" in tool ? tool.definition : tool)),
  choice: toolChoice,
  max_tokens: maxTokens,
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
      return [{ tool: block.id, name: block.name, json: stringifyJson(block) }];
    case "tool-result":
      return [{ result: block.id, text: textOf(block.content), failed: block.isError ?? false }];
    case "native":
      return [block.data as AcmeMemo];
    case "thinking":
      return [];
  }
}

/** What the model wrote goes back byte for byte; the API knows no free-form inputs and wants no empty ones. */
const stringifyJson = ({ inputText, kind }: ToolCallBlock): string =>
  kind === "text" ? JSON.stringify({ text: inputText }) : inputText.trim() || "{}";

/** The API takes text; of the rest it is told what is missing. */
const textOf = (content: UserMessage["content"] | ToolResultBlock["content"]): string =>
  typeof content === "string"
    ? content
    : content
        .map((block) =>
          block.type === "text"
            ? block.text
            : `[A file of type ${block.mediaType} is left out here.]`,
        )
        .join("\n\n");
