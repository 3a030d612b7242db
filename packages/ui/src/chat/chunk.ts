import type { WithheldReason } from "@fullstop/core";
import type { Outcome, ReviewedCall } from "@fullstop/loop";

/** What the page learns about a call that was withheld: the data of a part `data-withheld`. */
export interface WithheldData {
  readonly toolCallId: string;
  /** Undefined: the reply ended before the name came. */
  readonly toolName?: string | undefined;
  /** The first rule of the gate that the reply failed. */
  readonly reason: WithheldReason;
  /** What happened, in plain words. */
  readonly explanation: string;
  /** How many characters of the input arrived. */
  readonly inputChars: number;
  /** What arrived of the input, with `withheld: "text"`. Nothing may act on it. */
  readonly inputText?: string;
  /** Nothing else of the reply is shown: it was requested again, or a tool completed the call. */
  readonly replaced: boolean;
}

/** A call that the model wrote as text, so that it did not run: the data of a part `data-leaked`. */
export interface LeakedData {
  readonly toolName: string;
  /** What happened, in plain words. */
  readonly explanation: string;
}

/** Why a run ended without a complete answer: the data of a part `data-ended`. */
export interface EndedData {
  readonly status: Outcome["status"];
  readonly summary: string;
}

/** A call that needs an answer: the data of a part `data-waiting`. */
export type WaitingData = Pick<ReviewedCall, "id" | "name" | "needs" | "question">;

/**
 * What the data parts of a chat hold, by their names without `data-`. A page that is written with
 * `useChat<UIMessage<unknown, UiDataTypes>>()` knows them.
 */
export type UiDataTypes = {
  readonly withheld: WithheldData;
  readonly leaked: LeakedData;
  readonly ended: EndedData;
  readonly waiting: WaitingData;
};
type DataChunk = {
  readonly [Name in keyof UiDataTypes]: {
    readonly type: `data-${Name}`;
    readonly id: string;
    readonly data: UiDataTypes[Name];
  };
}[keyof UiDataTypes];

/**
 * The parts of the UI message stream of the AI SDK (version 1) that a run becomes.
 * https://ai-sdk.dev/docs/ai-sdk-ui/stream-protocol
 */
export type UiChunk =
  | { readonly type: "start"; readonly messageId: string }
  | { readonly type: "start-step" | "finish-step" | "reset-step" }
  | { readonly type: "text-start" | "text-end"; readonly id: string }
  | { readonly type: "reasoning-start" | "reasoning-end"; readonly id: string }
  | { readonly type: "text-delta" | "reasoning-delta"; readonly id: string; readonly delta: string }
  | {
      readonly type: "tool-input-start";
      readonly toolCallId: string;
      readonly toolName: string;
      readonly inputEncoding?: "text";
    }
  | {
      readonly type: "tool-input-delta";
      readonly toolCallId: string;
      readonly inputTextDelta: string;
    }
  | {
      readonly type: "tool-input-available";
      readonly toolCallId: string;
      readonly toolName: string;
      readonly input: unknown;
      readonly toolMetadata?: PartMark;
    }
  | {
      readonly type: "tool-input-error";
      readonly toolCallId: string;
      readonly toolName: string;
      readonly input: null;
      readonly errorText: string;
      readonly toolMetadata: PartMark;
    }
  | {
      readonly type: "tool-approval-request";
      readonly approvalId: string;
      readonly toolCallId: string;
    }
  | {
      readonly type: "tool-output-available";
      readonly toolCallId: string;
      readonly output: unknown;
      readonly preliminary?: true;
    }
  | {
      readonly type: "tool-output-error";
      readonly toolCallId: string;
      readonly errorText: string;
    }
  | { readonly type: "tool-output-denied"; readonly toolCallId: string }
  | { readonly type: "file"; readonly url: string; readonly mediaType: string }
  | DataChunk
  | { readonly type: "error"; readonly errorText: string }
  | { readonly type: "abort"; readonly reason?: string }
  | { readonly type: "finish"; readonly finishReason: FinishReason };

/** Marks a tool part that is not a call of the conversation, so that no later request sends it as one. */
export type PartMark =
  /** The call was withheld. */
  | { readonly fullstop: { readonly withheld: WithheldReason } }
  /** It only asks a person: about a call of a sub-agent, or what a tool wants to know. */
  | { readonly fullstop: { readonly asks: true } };

/** Why a message ended, in the words of the AI SDK. */
export type FinishReason =
  | "stop"
  | "length"
  | "content-filter"
  | "tool-calls"
  | "error"
  | "interrupted"
  | "other";
