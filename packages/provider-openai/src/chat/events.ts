import { parseJson } from "@fullstop/core/adapter";
import type OpenAI from "openai";

/** The SDK's types say what OpenAI sends; hosts of the protocol leave out, repeat or add almost any member. */
type Loose<Type> = { readonly [Key in keyof Type]?: Type[Key] | null | undefined };

/** A call, or a piece of one. */
export interface ToolDelta {
  readonly index?: number | string | null | undefined;
  readonly id?: string | null | undefined;
  readonly function?: FunctionDelta | null | undefined;
  readonly custom?:
    | { readonly name?: string | null | undefined; readonly input?: unknown }
    | null
    | undefined;
  /** Google's hosts put the thought signature here and want it back. */
  readonly extra_content?: unknown;
}
export interface FunctionDelta {
  readonly name?: string | null | undefined;
  readonly arguments?: unknown;
}
/** A message, or a piece of one. */
export interface Delta {
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
  readonly index?: number | null | undefined;
  readonly delta?: Delta | null | undefined;
  readonly message?: Delta | null | undefined;
  readonly finish_reason?: string | null | undefined;
  /** OpenRouter: the word of the provider behind it. */
  readonly native_finish_reason?: unknown;
  readonly usage?: NativeUsage | null | undefined;
  readonly error?: unknown;
}
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
/** A chunk, a whole completion, an error in place of either, or the word that ends the stream. */
export interface ChatBody {
  readonly id?: string | null | undefined;
  readonly model?: string | null | undefined;
  readonly choices?: readonly Choice[] | null | undefined;
  readonly usage?: NativeUsage | null | undefined;
  /** Groq. */
  readonly x_groq?: { readonly usage?: NativeUsage | null | undefined } | null | undefined;
  readonly error?: unknown;
}
export const done = "[DONE]";
/** A chunk, a whole completion, an error, or `[DONE]`. */
export type ChatEvent = ChatBody | typeof done;

/** For `sse`: `[DONE]` is an event here. */
export const parseChat = (data: string): ChatEvent =>
  data.trimEnd() === done ? done : parseJson<ChatEvent>(data);
