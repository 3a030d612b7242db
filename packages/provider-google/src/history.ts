import type {
  AssistantBlock,
  AssistantMessage,
  Message,
  ToolCallBlock,
  ToolMessage,
} from "@fullstop/core";
import { inputObject, resultText, safeToolName } from "@fullstop/core/adapter";
import type { Content, FunctionCall, Part } from "@google/genai";
import { encodeContent, encodeResult } from "./media.ts";
import { isGemini3OrLater } from "./models.ts";

export interface ContentDraft extends Content {
  readonly role: "user" | "model";
  readonly parts: Part[];
}

/** The model that gets a conversation. */
export interface Recipient {
  readonly model: string;
  /** Whether the model wrote this message over the same API: then its calls keep their ids. */
  isOwn(message: AssistantMessage): boolean;
}

/**
 * Encodes a conversation as the API accepts it. Consecutive messages of one role become one
 * content. The results of a step come first and together. The conversation starts and ends with a
 * user's content.
 */
export function encodeMessages(messages: readonly Message[], recipient: Recipient): ContentDraft[] {
  const drafts: ContentDraft[] = [];
  let calls: readonly EncodedCall[] = [];
  const append = (role: ContentDraft["role"], parts: readonly Part[]): void => {
    const last = drafts.at(-1);
    if (last?.role === role) last.parts.push(...parts);
    else if (parts.length > 0) drafts.push({ role, parts: [...parts] });
  };
  for (const message of messages) {
    switch (message.role) {
      case "assistant":
        calls = encodeCalls(message, recipient.isOwn(message));
        append("model", encodeAssistant(message, calls));
        break;
      case "tool":
        append("user", encodeResults(message, calls, isGemini3OrLater(recipient.model)));
        break;
      case "user": {
        const parts = encodeContent(message.content);
        append("user", parts.length > 0 ? parts : [{ text: "(An empty message.)" }]);
        break;
      }
    }
  }
  if (drafts.at(-1)?.role !== "user") append("user", [{ text: "(No new message. Please go on.)" }]);
  if (drafts[0]?.role === "model")
    drafts.unshift({
      role: "user",
      parts: [{ text: "(The conversation begins with the model's message.)" }],
    });
  if (isGemini3OrLater(recipient.model)) addStandInSignatures(drafts);
  return drafts;
}

interface EncodedCall {
  readonly block: ToolCallBlock;
  readonly name: string;
  /** Absent if the API gave no id: it then matches results by order. */
  readonly id?: string;
}

const encodeCalls = ({ content }: AssistantMessage, isOwn: boolean): readonly EncodedCall[] =>
  content.flatMap((block): readonly EncodedCall[] => {
    if (block.type !== "tool-call") return [];
    const hasNativeId = isOwn && block.nativeId === block.id;
    return [{ block, name: toolName(block.name), ...(hasNativeId && { id: block.id }) }];
  });

/** The API accepts letters, digits, `_`, `.`, `:` and `-`, with a letter or `_` first. */
export const toolName = (name: string): string =>
  safeToolName(name.replace(/^(?=[\d.:-]|$)/, "_"), { refused: /[^\w.:-]/g, maxLength: 64 });

const encodeAssistant = (
  { content }: AssistantMessage,
  calls: readonly EncodedCall[],
): readonly Part[] => content.flatMap((block) => encodeBlock(block, calls));

function encodeBlock(block: AssistantBlock, calls: readonly EncodedCall[]): readonly Part[] {
  switch (block.type) {
    case "text":
      return block.text === "" ? [] : [{ text: block.text, ...signature(block.providerData) }];
    case "thinking": {
      const signed = signature(block.providerData);
      return signed.thoughtSignature === undefined
        ? []
        : [{ text: block.text, thought: true, ...signed }];
    }
    case "tool-call":
      return calls
        .filter((call) => call.block === block)
        .map((call) => ({ functionCall: functionCall(call), ...signature(block.providerData) }));
    case "native":
      return isSendable(block.data) ? [{ ...block.data }] : [];
  }
}

const functionCall = ({ name, id, block }: EncodedCall): FunctionCall => ({
  name,
  args: { ...inputObject(block) },
  ...(id !== undefined && { id }),
});

const signature = (providerData: unknown): Pick<Part, "thoughtSignature"> =>
  typeof providerData === "string" && providerData !== "" ? { thoughtSignature: providerData } : {};

/** The SDK sends only these members of a part, so a part without any of them would be empty. */
const knownMembers: Readonly<Record<keyof Part, true>> = {
  audioTranscription: true,
  codeExecutionResult: true,
  executableCode: true,
  fileData: true,
  functionCall: true,
  functionResponse: true,
  inlineData: true,
  mediaProcessing: true,
  mediaResolution: true,
  partMetadata: true,
  speechMetadata: true,
  text: true,
  thought: true,
  thoughtSignature: true,
  toolCall: true,
  toolResponse: true,
  videoMetadata: true,
};
const isSendable = (data: unknown): data is Part =>
  typeof data === "object" &&
  data !== null &&
  Object.keys(data).some((key) => Object.hasOwn(knownMembers, key));

/**
 * The API requires one result for each call of the content before, in the order of the calls.
 * https://ai.google.dev/gemini-api/docs/function-calling
 */
const encodeResults = (
  { content }: ToolMessage,
  calls: readonly EncodedCall[],
  acceptsMedia: boolean,
): readonly Part[] =>
  content.map((result): Part => {
    const { text, media } = encodeResult(result.content, acceptsMedia);
    const { name = toolName(result.name), id } =
      calls.find(({ block }) => block.id === result.id) ?? {};
    const response = result.isError ? { error: resultText(text, true) } : { output: text };
    return {
      functionResponse: {
        name,
        ...(id !== undefined && { id }),
        response,
        ...(media.length > 0 && { parts: media }),
      },
    };
  });

/**
 * Gemini 3 requires a signature on the first call of each step since the user's last message. Calls
 * of other providers have none, so the first of them gets the documented stand-in. The others do
 * not: there it causes errors (BerriAI/litellm#37541).
 * https://docs.cloud.google.com/vertex-ai/generative-ai/docs/thought-signatures
 */
function addStandInSignatures(drafts: readonly ContentDraft[]): void {
  const lastUser = drafts.findLastIndex(
    ({ role, parts }) => role === "user" && !parts.some((part) => part.functionResponse),
  );
  for (const { role, parts } of drafts.slice(lastUser + 1)) {
    const firstCall = role === "model" ? parts.find((part) => part.functionCall) : undefined;
    if (firstCall !== undefined) firstCall.thoughtSignature ??= "skip_thought_signature_validator";
  }
}
