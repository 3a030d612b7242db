import { type ParseEvent, parseErrorEvents, parseJson, readIndex } from "@fullstop/core/adapter";
import type OpenAI from "openai";

/** The SDK's types describe OpenAI. Other hosts omit, repeat or add almost any member. */
type Loose<Type> = { readonly [Key in keyof Type]?: Type[Key] | null | undefined };

export interface ToolDelta {
  readonly index?: number | string | null | undefined;
  readonly id?: string | null | undefined;
  readonly function?: FunctionDelta | null | undefined;
  readonly custom?:
    | { readonly name?: string | null | undefined; readonly input?: unknown }
    | null
    | undefined;
  /** Google's hosts send the thought signature here, and require it in the history. */
  readonly extra_content?: unknown;
}
export interface FunctionDelta {
  readonly name?: string | null | undefined;
  readonly arguments?: unknown;
}
export interface Delta {
  readonly role?: unknown;
  readonly content?: unknown;
  readonly refusal?: string | null | undefined;
  readonly tool_calls?: readonly (ToolDelta | null)[] | null | undefined;
  readonly function_call?: FunctionDelta | null | undefined;
  readonly reasoning_content?: string | null | undefined;
  readonly reasoning?: unknown;
  readonly reasoning_text?: string | null | undefined;
  readonly reasoning_details?: unknown;
}
export interface Choice {
  readonly index?: number | string | null | undefined;
  readonly delta?: Delta | null | undefined;
  readonly message?: Delta | null | undefined;
  readonly finish_reason?: string | null | undefined;
  /** OpenRouter: the native stop reason of the upstream provider. */
  readonly native_finish_reason?: unknown;
  /** vLLM: the stop sequence, or the id of a token. */
  readonly stop_reason?: unknown;
  /** SGLang: the same. */
  readonly matched_stop?: unknown;
  readonly usage?: NativeUsage | null | undefined;
  readonly error?: unknown;
}
/** The number of a choice. Hosts leave it out, and some write it as a text. */
export const choiceIndex = ({ index }: Choice): number | string => readIndex(index ?? 0);

export interface NativeUsage
  extends Loose<
    Omit<OpenAI.CompletionUsage, "completion_tokens_details" | "prompt_tokens_details">
  > {
  readonly completion_tokens_details?:
    | Loose<OpenAI.CompletionUsage.CompletionTokensDetails>
    | null
    | undefined;
  readonly prompt_tokens_details?:
    | Loose<OpenAI.CompletionUsage.PromptTokensDetails>
    | null
    | undefined;
  /** DeepSeek. */
  readonly prompt_cache_hit_tokens?: number | null | undefined;
}
export interface ChatBody {
  readonly id?: string | null | undefined;
  readonly model?: string | null | undefined;
  readonly choices?: readonly Choice[] | null | undefined;
  readonly usage?: NativeUsage | null | undefined;
  /** Groq. */
  readonly x_groq?: { readonly usage?: NativeUsage | null | undefined } | null | undefined;
  readonly error?: unknown;
}
export const doneMarker = "[DONE]";
/** A chunk, a complete reply, an error, or `[DONE]`. */
export type ChatEvent = ChatBody | typeof doneMarker;

/** Parses the data of one event. Keeps `[DONE]`, which `sse` skips by default. */
export const parseChat: ParseEvent<ChatEvent> = /* @__PURE__ */ parseErrorEvents(
  (data: string): ChatEvent =>
    data.trimEnd() === doneMarker ? doneMarker : parseJson<ChatEvent>(data),
  (event, data) =>
    typeof event === "object" && event?.error ? event : { error: event ?? { message: data } },
);
