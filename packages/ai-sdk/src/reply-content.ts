import {
  APICallError,
  type JSONObject,
  type LanguageModelV4Content,
  type LanguageModelV4FinishReason,
  type LanguageModelV4Usage,
} from "@ai-sdk/provider";
import { errorRules, type ProviderError, type Turn, type Usage } from "@fullstop/core";
import { outputToolName, withheldNote } from "@fullstop/core/adapter";
import { endings } from "./stops.ts";

/** The part that carries a message of an adapter, with its signatures, to the next request. */
export const messageKind = "fullstop.message";

export interface TurnContent {
  /** Text and thinking. A stream has shown them already. */
  readonly shown: readonly LanguageModelV4Content[];
  /** What follows: the calls, or a note in their place, and the message for the next request. */
  readonly rest: readonly LanguageModelV4Content[];
  readonly finishReason: LanguageModelV4FinishReason;
  readonly usage: LanguageModelV4Usage;
}

export function contentOf(turn: Turn): TurnContent {
  const { native, usage } = turn;
  const object = objectOf(turn);
  const unified = object === undefined ? unifiedOf(turn) : "stop";
  return {
    shown: shownOf(turn),
    rest: object === undefined ? restOf(turn) : [{ type: "text", text: object }],
    finishReason: { unified, raw: native?.stop },
    usage: usageOf(usage),
  };
}

/** A history has no message of a reply that was filtered, but its text was shown. */
function shownOf({ message, text }: Turn): readonly LanguageModelV4Content[] {
  if (message === undefined) return text === "" ? [] : [{ type: "text", text }];
  return message.content.flatMap((block): LanguageModelV4Content[] => {
    if (block.type === "text") return [{ type: "text", text: block.text }];
    return block.type === "thinking" ? [{ type: "reasoning", text: block.text }] : [];
  });
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

function restOf(turn: Turn): readonly LanguageModelV4Content[] {
  const { message, text } = turn;
  if (turn.stopReason !== "tool-use" && turn.withheld.length > 0) {
    const note = withheldNote(turn);
    return [{ type: "text", text: text === "" ? note : `\n\n${note}` }];
  }
  const calls = (message?.content ?? []).flatMap((block): LanguageModelV4Content[] => {
    if (block.type !== "tool-call" || block.name === outputToolName) return [];
    const input = block.inputText.trim() || "{}";
    return [{ type: "tool-call", toolCallId: block.id, toolName: block.name, input }];
  });
  const carried = { fullstop: { message: message as unknown as JSONObject } };
  return message === undefined
    ? calls
    : [{ type: "custom", kind: messageKind, providerMetadata: carried }, ...calls];
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
