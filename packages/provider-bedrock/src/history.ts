import type {
  Message as BedrockMessage,
  ContentBlock,
  ToolUseBlock,
} from "@aws-sdk/client-bedrock-runtime";
import type { AssistantBlock, Message, UserMessage } from "@fullstop/core";
import { contentBlocks, inputObject, safeToolName } from "@fullstop/core/adapter";
import { toBytes } from "./base64.ts";
import {
  createDocumentNames,
  encodeMedia,
  isBlank,
  type NameDocument,
  omitted,
  textBlock,
} from "./media.ts";
import type { ModelRules } from "./models.ts";
import { encodeResult } from "./result.ts";

interface MessageDraft extends BedrockMessage {
  readonly role: "user" | "assistant";
  readonly content: ContentBlock[];
}

/**
 * Encodes a conversation as the API accepts it. Consecutive messages of one role become one
 * message, and the conversation starts and ends with a user's message.
 */
export function encodeMessages(messages: readonly Message[], rules: ModelRules): MessageDraft[] {
  const drafts: MessageDraft[] = [];
  const nameDocument = createDocumentNames();
  const append = (role: MessageDraft["role"], blocks: readonly ContentBlock[]): void => {
    const last = drafts.at(-1);
    if (last?.role === role) last.content.push(...blocks);
    else if (blocks.length > 0) drafts.push({ role, content: [...blocks] });
  };
  for (const message of messages) {
    if (message.role === "assistant") append("assistant", encodeAssistant(message.content));
    else if (message.role === "user") append("user", encodeUser(message, nameDocument));
    else
      append(
        "user",
        message.content.map((result) => ({
          toolResult: encodeResult(result, { rules, nameDocument }),
        })),
      );
  }
  if (drafts.at(-1)?.role !== "user")
    append("user", [textBlock("(No new message. Please go on.)")]);
  if (drafts[0]?.role === "assistant")
    drafts.unshift({
      role: "user",
      content: [textBlock("(The conversation begins with the assistant's message.)")],
    });
  return rules.separateCalls ? drafts.flatMap(separateCalls) : drafts;
}

/** A reply must not end with reasoning, and holds no reasoning without its signature. */
function encodeAssistant(blocks: readonly AssistantBlock[]): readonly ContentBlock[] {
  const encoded = blocks.flatMap(encodeBlock);
  const end = encoded.findLastIndex(({ reasoningContent }) => reasoningContent === undefined);
  return encoded.slice(0, end + 1);
}

function encodeBlock(block: AssistantBlock): readonly ContentBlock[] {
  switch (block.type) {
    case "text":
      return isBlank(block.text) ? [] : [encodeText(block.text, block.providerData)];
    case "thinking":
      return encodeReasoning(block);
    case "tool-call":
      return [
        {
          toolUse: {
            toolUseId: block.id,
            name: toolName(block.name),
            input: inputObject(block) as ToolUseBlock["input"],
          },
        },
      ];
    case "native":
      return encodeNative(block.data);
  }
}

function encodeReasoning({
  text,
  providerData,
}: Extract<AssistantBlock, { type: "thinking" }>): readonly ContentBlock[] {
  if (typeof providerData === "string")
    return [{ reasoningContent: { reasoningText: { text, signature: providerData } } }];
  return typeof providerData === "object" && providerData !== null
    ? encodeNative({ reasoningContent: providerData })
    : [];
}

/** A text with citations is a block of its own. */
const encodeText = (text: string, citations: unknown): ContentBlock =>
  Array.isArray(citations) && citations.length > 0
    ? { citationsContent: { content: [{ text }], citations } }
    : textBlock(text);

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolUseBlock.html */
export const toolName = (name: string): string =>
  safeToolName(name, { refused: /[^a-zA-Z0-9_-]/g, maxLength: 64 });

/** A message with a document needs a text beside it. */
function encodeUser({ content }: UserMessage, nameDocument: NameDocument): readonly ContentBlock[] {
  const blocks = contentBlocks(content).flatMap((block): readonly ContentBlock[] => {
    if (block.type === "text") return isBlank(block.text) ? [] : [textBlock(block.text)];
    return [encodeMedia(block, nameDocument) ?? omitted(block)];
  });
  if (blocks.length === 0) return [textBlock("(An empty message.)")];
  return blocks.some(({ text }) => text !== undefined)
    ? blocks
    : [...blocks, textBlock("(A message without text.)")];
}

/** Llama refuses text beside calls and results. It becomes a message, with a line between. */
function separateCalls(draft: MessageDraft): readonly MessageDraft[] {
  const { role, content } = draft;
  const isCall = (block: ContentBlock): boolean =>
    block.toolUse !== undefined || block.toolResult !== undefined;
  const calls = content.filter(isCall);
  const others = content.filter((block) => !isCall(block));
  if (calls.length === 0 || others.length === 0) return [draft];
  return role === "assistant"
    ? [
        { role, content: others },
        { role: "user", content: [textBlock("(Please go on.)")] },
        { role, content: calls },
      ]
    : [
        { role, content: calls },
        { role: "assistant", content: [textBlock("(I have the results.)")] },
        { role, content: others },
      ];
}

type BlockType = Extract<keyof ContentBlock, string>;

/**
 * The blocks of a reply that the API takes back. Images, documents, audio and video may only be in a
 * user's message.
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Message.html
 */
const sendable: Readonly<Record<Exclude<BlockType, "$unknown">, boolean>> = {
  text: true,
  toolUse: true,
  toolResult: true,
  reasoningContent: true,
  citationsContent: true,
  guardContent: false,
  searchResult: false,
  cachePoint: false,
  image: false,
  document: false,
  audio: false,
  video: false,
  toolAddition: false,
  toolRemoval: false,
};

/** The SDK takes blobs as bytes, and drops unknown types. */
function encodeNative(data: unknown): readonly ContentBlock[] {
  if (typeof data !== "object" || data === null) return [];
  const [type] = Object.keys(data);
  if (type === undefined || !Object.hasOwn(sendable, type)) return [];
  if (!sendable[type as keyof typeof sendable]) return [];
  return [withBytes(data) as ContentBlock];
}

/** Members that are blobs. */
const blobs: ReadonlySet<string> = new Set(["redactedContent", "bytes"]);

function withBytes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withBytes);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      blobs.has(name) && typeof inner === "string" ? toBytes(inner) : withBytes(inner),
    ]),
  );
}
