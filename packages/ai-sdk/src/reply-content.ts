import {
  APICallError,
  type LanguageModelV4Content,
  type LanguageModelV4FinishReason,
  type LanguageModelV4Usage,
} from "@ai-sdk/provider";
import {
  type AssistantBlock,
  errorRules,
  type ProviderError,
  type Turn,
  type Usage,
} from "@fullstop/core";
import { fieldsOf, outputToolName, withheldNote } from "@fullstop/core/adapter";
import { type Carry, createCarry } from "./carried.ts";
import { fileOf, type NativeBlock } from "./native-file.ts";
import { endings } from "./stops.ts";

export interface TurnContent {
  /** The blocks of the message, and a note in place of calls that were held back. */
  readonly content: readonly LanguageModelV4Content[];
  readonly finishReason: LanguageModelV4FinishReason;
  readonly usage: LanguageModelV4Usage;
}

/** `isShown`: a stream has shown the block already. */
export function contentOf(
  turn: Turn,
  isShown: (block: AssistantBlock) => boolean = () => false,
): TurnContent {
  const { native, usage } = turn;
  const object = objectOf(turn);
  const unified = object === undefined ? unifiedOf(turn) : "stop";
  const end = object ?? noteOf(turn);
  const content = [
    ...blocksOf(turn, isShown),
    ...(end === undefined ? [] : [{ type: "text" as const, text: end }]),
  ];
  return { content, finishReason: { unified, raw: native?.stop }, usage: usageOf(usage) };
}

/** A history has no message of a reply that was filtered, but its text was shown. */
function blocksOf(
  { message, text }: Turn,
  isShown: (block: AssistantBlock) => boolean,
): readonly LanguageModelV4Content[] {
  if (message === undefined) return text === "" ? [] : [{ type: "text", text }];
  const carry = createCarry(message);
  return message.content.flatMap((block) => (isShown(block) ? [] : partOf(block, carry)));
}

function partOf(block: AssistantBlock, carry: Carry): readonly LanguageModelV4Content[] {
  if (block.type === "text" || block.type === "thinking") {
    const carried = carry(block);
    const type = block.type === "text" ? "text" : "reasoning";
    const isEmpty = block.text === "" && carried.providerMetadata === undefined;
    return isEmpty ? [] : [{ type, text: block.text, ...carried }];
  }
  if (block.type === "native") return [nativePart(block, carry)];
  if (block.name === outputToolName) return [];
  const input = block.inputText.trim() || "{}";
  return [
    { type: "tool-call", toolCallId: block.id, toolName: block.name, input, ...carry(block) },
  ];
}

/** Hidden reasoning is reasoning without a text, as with the providers of AI SDK. */
function nativePart(block: NativeBlock, carry: Carry): LanguageModelV4Content {
  const file = fileOf(block.data);
  if (file !== undefined)
    return {
      type: "file",
      mediaType: file.mediaType,
      data: { type: "data", data: file.data },
      ...carry(block),
    };
  const type = String(fieldsOf(block.data)["type"]);
  return /thinking|reasoning|thought/.test(type)
    ? { type: "reasoning", text: "", ...carry(block) }
    : { type: "custom", kind: "fullstop.block", ...carry(block) };
}

const unifiedOf = ({ stopReason, withheld }: Turn): LanguageModelV4FinishReason["unified"] => {
  if (stopReason === "tool-use") return "tool-calls";
  return stopReason === "stop" && withheld.length === 0 ? "stop" : endings[stopReason];
};

/** The object that was requested as the input of a tool. */
function objectOf({ calls, message }: Turn): string | undefined {
  const [call] = calls;
  if (call?.name !== outputToolName || calls.length > 1) return undefined;
  const block = message?.content.find(({ type }) => type === "tool-call");
  return block?.type === "tool-call" ? block.inputText : undefined;
}

function noteOf(turn: Turn): string | undefined {
  if (turn.stopReason === "tool-use" || turn.withheld.length === 0) return undefined;
  const note = withheldNote(turn);
  return turn.text === "" ? note : `\n\n${note}`;
}

function usageOf({ input, output, cacheRead, cacheWrite, reasoning }: Usage): LanguageModelV4Usage {
  return {
    inputTokens: {
      total: input,
      noCache: input - (cacheRead ?? 0) - (cacheWrite ?? 0),
      cacheRead,
      cacheWrite,
    },
    outputTokens: {
      total: output,
      text: reasoning === undefined ? undefined : output - reasoning,
      reasoning,
    },
  };
}

/** An error that AI SDK understands: it sends the request again if that may help. */
export const callError = (error: ProviderError, provider: string): APICallError =>
  new APICallError({
    message: error.message,
    url: provider,
    requestBodyValues: undefined,
    ...(error.status !== undefined && { statusCode: error.status }),
    isRetryable: errorRules[error.kind].retry,
    cause: error,
  });
