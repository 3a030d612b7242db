import type {
  AssistantMessage,
  FileBlock,
  ImageBlock,
  Message,
  TextBlock,
  ToolCallBlock,
  ToolMessage,
  ToolResultBlock,
} from "@fullstop/core";
import {
  contentBlocks,
  decodeTextFile,
  describeMedia,
  fieldsOf,
  type MediaContent,
  type MediaData,
  omissionNote,
  resultText,
} from "@fullstop/core/adapter";
import type OpenAI from "openai";
import { dataUrl, encodeArguments, encodeToolName, isImageType, wrapText } from "../values.ts";
import { imageUrls, type Quirks, type RequestQuirks } from "./quirks.ts";

type MessageParam = OpenAI.ChatCompletionMessageParam;
interface ReasoningParams {
  readonly reasoning_content?: string;
  readonly reasoning_details?: readonly unknown[];
}

/**
 * Encodes a conversation in the form that all hosts of the protocol accept: results directly after
 * their calls and in their order, adjacent messages of one role merged, a user message first and
 * last.
 */
export function encodeChatMessages(messages: readonly Message[], quirks: Quirks): MessageParam[] {
  const params: MessageParam[] = [];
  for (const message of messages) {
    if (message.role === "assistant") addAssistant(params, message, quirks);
    else if (message.role === "tool") addResults(params, message, quirks);
    else addUser(params, userParts(message.content, quirks), quirks);
  }
  if (params.at(0)?.role === "assistant")
    params.unshift({
      role: "user",
      content: "(The conversation begins with the assistant's message.)",
    });
  if (params.at(-1)?.role !== "user" && params.at(-1)?.role !== "tool")
    params.push({ role: "user", content: "(No new message. Please go on.)" });
  return params;
}

function userParts(content: MediaContent, quirks: RequestQuirks): readonly ContentPart[] {
  const parts = encodeContentParts(content, quirks);
  return parts.length > 0 ? parts : [textPart("(An empty message.)")];
}

const partsOf = (content: string | ContentPart[]): readonly ContentPart[] =>
  typeof content === "string" ? [textPart(content)] : content;

function addUser(
  params: MessageParam[],
  parts: readonly ContentPart[],
  { answersResults }: RequestQuirks,
): void {
  const last = params.at(-1);
  if (last?.role === "tool" && answersResults)
    params.push({ role: "assistant", content: "(The results are in.)" });
  if (last?.role === "user") last.content = joinTextParts([...partsOf(last.content), ...parts]);
  else params.push({ role: "user", content: joinTextParts(parts) });
}

/** Results hold text only. Their other content follows in a user message after the last result. */
function addResults(params: MessageParam[], { content }: ToolMessage, quirks: RequestQuirks): void {
  const media: ContentPart[] = [];
  for (const [at, result] of content.entries()) {
    const parts = encodeContentParts(result.content, quirks);
    const others = parts.filter((part) => !isTextPart(part));
    params.push(encodeChatResult(result, parts, quirks));
    // Models do not see the ids of their calls, but their order.
    const call = content.length > 1 ? ` in call ${at + 1} of ${content.length}` : "";
    if (others.length > 0)
      media.push(
        textPart(`[What the tool ${result.name} gave${call} besides its text:]`),
        ...others,
      );
  }
  if (media.length > 0) addUser(params, media, quirks);
}

function encodeChatResult(
  { id, name, isError }: ToolResultBlock,
  parts: readonly ContentPart[],
  { namesResults }: RequestQuirks,
): MessageParam {
  const texts = parts.filter(isTextPart).map(({ text }) => text);
  if (parts.length > texts.length)
    texts.push("[What else the tool gave follows in the next message.]");
  return {
    role: "tool",
    tool_call_id: id,
    ...(namesResults && { name: encodeToolName(name) }),
    content: resultText(texts.join("\n\n"), isError),
  };
}

function addAssistant(params: MessageParam[], message: AssistantMessage, quirks: Quirks): void {
  const calls = message.content
    .filter((block) => block.type === "tool-call")
    .map((block) => encodeChatCall(block, quirks.customTools === true));
  const text = messageText(message);
  if (calls.length === 0 && text === "") return;
  const last = params.at(-1);
  const previous =
    last?.role === "assistant" && last.tool_calls === undefined ? last.content : undefined;
  if (previous !== undefined) params.pop();
  const content = [previous, text]
    .filter((one) => typeof one === "string" && one !== "")
    .join("\n\n");
  params.push({
    role: "assistant",
    content: content === "" && !quirks.contentNeeded ? null : content,
    ...encodeReasoning(message, quirks),
    ...(calls.length > 0 && { tool_calls: calls }),
  });
}

/** Text blocks of this protocol are parts of one text; those of other protocols are paragraphs. */
const messageText = ({ content, from }: AssistantMessage): string =>
  content
    .filter((block): block is TextBlock => block.type === "text" && block.text !== "")
    .map(({ text }) => text)
    .join(from?.protocol === "openai-chat" ? "" : "\n\n");

/** A host that requires `reasoning_content` requires it in every assistant message. */
function encodeReasoning({ content }: AssistantMessage, { reasoning }: Quirks): ReasoningParams {
  if (reasoning === "reasoning_content") {
    const thoughts = content.flatMap((block) => (block.type === "thinking" ? [block.text] : []));
    return { reasoning_content: thoughts.join("") };
  }
  if (reasoning === undefined) return {};
  const details = content.flatMap((block) =>
    "providerData" in block ? reasoningDetailsIn(block.providerData) : [],
  );
  return details.length > 0 ? { reasoning_details: details } : {};
}

function reasoningDetailsIn(providerData: unknown): readonly unknown[] {
  const { reasoning_details: details } = fieldsOf(providerData);
  return Array.isArray(details) ? details : [];
}

function encodeChatCall(
  { id, name, inputText, kind, providerData }: ToolCallBlock,
  customTools: boolean,
): OpenAI.ChatCompletionMessageToolCall {
  if (kind === "text" && customTools)
    return { id, type: "custom", custom: { name: encodeToolName(name), input: inputText } };
  const { extra_content } = fieldsOf(providerData);
  return {
    id,
    type: "function",
    function: {
      name: encodeToolName(name),
      arguments: kind === "text" ? wrapText(inputText) : encodeArguments(inputText),
    },
    ...(extra_content !== undefined && { extra_content }),
  };
}

type ContentPart = OpenAI.ChatCompletionContentPart;

const textPart = (text: string): OpenAI.ChatCompletionContentPartText => ({
  type: "text",
  text,
});
const isTextPart = (part: ContentPart): part is OpenAI.ChatCompletionContentPartText =>
  part.type === "text";

/** A note replaces content that the host does not accept. */
function encodeContentParts(
  content: MediaContent,
  { files, reference = imageUrls }: RequestQuirks,
): readonly ContentPart[] {
  return contentBlocks(content).flatMap((block): readonly ContentPart[] => {
    if (block.type === "text") return block.text === "" ? [] : [textPart(block.text)];
    if (block.data === undefined) {
      const part = reference(block);
      return [typeof part === "string" ? omitted(`The ${block.type}`) : part];
    }
    return [block.type === "image" ? encodeImage(block) : encodeFile(block, files === true)];
  });
}

/** Joins parts to one string if all are text: some hosts accept only a string. */
const joinTextParts = (parts: readonly ContentPart[]): string | ContentPart[] =>
  parts.every(isTextPart) ? parts.map(({ text }) => text).join("\n\n") : [...parts];

function encodeImage(image: (ImageBlock | FileBlock) & MediaData): ContentPart {
  if (!isImageType(image.mediaType)) return omitted(describeMedia(image));
  return { type: "image_url", image_url: { url: dataUrl(image) } };
}

function encodeFile(file: FileBlock & MediaData, acceptsFiles: boolean): ContentPart {
  const { mediaType, name = "file" } = file;
  if (isImageType(mediaType)) return encodeImage(file);
  if (acceptsFiles && mediaType === "application/pdf")
    return { type: "file", file: { filename: name, file_data: dataUrl(file) } };
  const text = decodeTextFile(file);
  return text === undefined
    ? omitted(describeMedia({ ...file, name }))
    : textPart(`[The file ${name}:]\n${text}`);
}

const omitted = (what: string): ContentPart => textPart(omissionNote(what));
