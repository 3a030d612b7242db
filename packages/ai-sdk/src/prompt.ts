import type {
  LanguageModelV4FilePart,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4TextPart,
  LanguageModelV4ToolResultPart,
} from "@ai-sdk/provider";
import type {
  AssistantBlock,
  AssistantMessage,
  FileBlock,
  ImageBlock,
  Message,
  TextBlock,
  ToolResultBlock,
  TurnRequest,
} from "@fullstop/core";
import { fieldsOf, type MediaSource } from "@fullstop/core/adapter";
import { messageKind } from "./reply-content.ts";

type Assistant = Extract<LanguageModelV4Message, { role: "assistant" }>;
type ToolOutput = LanguageModelV4ToolResultPart["output"];
type GivenBlock = TextBlock | ImageBlock | FileBlock;
type GivenFile = Pick<LanguageModelV4FilePart, "data" | "mediaType" | "filename">;

export function readPrompt(
  prompt: LanguageModelV4Prompt,
  provider: string,
): Pick<TurnRequest, "system" | "messages"> {
  const system = prompt.flatMap(({ role, content }) => (role === "system" ? [content] : []));
  return {
    ...(system.length > 0 && { system: system.join("\n\n") }),
    messages: prompt.flatMap((message) => readMessage(message, provider)),
  };
}

function readMessage(message: LanguageModelV4Message, provider: string): readonly Message[] {
  switch (message.role) {
    case "system":
      return [];
    case "user":
      return [{ role: "user", content: message.content.map((part) => givenBlock(part, provider)) }];
    case "assistant":
      return [readAssistant(message)];
    case "tool": {
      const content = message.content.flatMap((part) =>
        part.type === "tool-result" ? [readResult(part, provider)] : [],
      );
      return content.length === 0 ? [] : [{ role: "tool", content }];
    }
  }
}

/** The message of the adapter itself, with its signatures, if its calls are still those of the prompt. */
function readAssistant({ content }: Assistant): AssistantMessage {
  const callIds = content.flatMap((part) => (part.type === "tool-call" ? [part.toolCallId] : []));
  const custom = content.find((part) => part.type === "custom" && part.kind === messageKind);
  const own = fieldsOf(custom?.providerOptions?.["fullstop"])["message"];
  return isOwnMessage(own) && String(idsIn(own)) === String(callIds)
    ? own
    : { role: "assistant", content: content.flatMap(assistantBlocks) };
}

const isOwnMessage = (value: unknown): value is AssistantMessage => {
  const { role, content } = fieldsOf(value);
  return role === "assistant" && Array.isArray(content);
};
const idsIn = ({ content }: AssistantMessage): readonly string[] =>
  content.flatMap((block) => (block.type === "tool-call" ? [block.id] : []));

/** Signatures and server calls of other models are left out: their providers alone understand them. */
function assistantBlocks(part: Assistant["content"][number]): readonly AssistantBlock[] {
  switch (part.type) {
    case "text":
      return part.text === "" ? [] : [{ type: "text", text: part.text }];
    case "reasoning":
      return part.text === "" ? [] : [{ type: "thinking", text: part.text }];
    case "tool-call": {
      const { toolCallId: id, toolName: name, input } = part;
      return part.providerExecuted
        ? []
        : [{ type: "tool-call", id, name, inputText: JSON.stringify(input) ?? "{}" }];
    }
    case "file":
    case "reasoning-file":
    case "custom":
    case "tool-result":
      return [];
  }
}

const textBlock = ({ text }: { readonly text: string }): TextBlock => ({ type: "text", text });

const givenBlock = (
  part: LanguageModelV4TextPart | LanguageModelV4FilePart,
  provider: string,
): GivenBlock => (part.type === "text" ? textBlock(part) : mediaBlock(part, provider));

function mediaBlock({ data, mediaType, filename }: GivenFile, provider: string): GivenBlock {
  if (data.type === "text") return textBlock(data);
  const source = sourceOf(data, mediaType, provider);
  return mediaType.startsWith("image/")
    ? { type: "image", ...source }
    : { type: "file", ...source, ...(filename !== undefined && { name: filename }) };
}

function sourceOf(
  data: Exclude<GivenFile["data"], { type: "text" }>,
  mediaType: string,
  provider: string,
): MediaSource {
  switch (data.type) {
    case "data":
      return { mediaType, data: typeof data.data === "string" ? data.data : base64(data.data) };
    case "url":
      return { mediaType, url: data.url.href };
    case "reference":
      return { mediaType, fileId: data.reference[provider] ?? "", provider };
  }
}

function base64(bytes: Uint8Array): string {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}

function readResult(part: LanguageModelV4ToolResultPart, provider: string): ToolResultBlock {
  const { output, toolCallId: id, toolName: name } = part;
  const isError = /^error-|^execution-denied$/.test(output.type);
  const content = resultContent(output, provider);
  return { type: "tool-result", id, name, content, ...(isError && { isError }) };
}

function resultContent(output: ToolOutput, provider: string): ToolResultBlock["content"] {
  switch (output.type) {
    case "text":
    case "error-text":
      return output.value;
    case "json":
    case "error-json":
      return JSON.stringify(output.value);
    case "execution-denied":
      return output.reason ?? "The call was not approved, so it did not run.";
    case "content":
      return output.value.flatMap((item): readonly GivenBlock[] => {
        if (item.type === "custom") return [];
        return [item.type === "text" ? textBlock(item) : mediaBlock(item, provider)];
      });
  }
}
