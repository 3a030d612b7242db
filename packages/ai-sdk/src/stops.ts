import type { LanguageModelV4FinishReason } from "@ai-sdk/provider";
import type { StopReason } from "@fullstop/core";
import type { Claim } from "@fullstop/core/adapter";

export type Unified = LanguageModelV4FinishReason["unified"];

const neverRuns: Claim = { stop: "stop", calls: "never" };

/**
 * What a finish reason means. A key with a colon has the provider's own word behind it, where AI SDK
 * gives it a finish reason that hides how the reply ended.
 */
export const stops: Readonly<Record<string, Claim>> & Readonly<Record<Unified, Claim>> = {
  stop: "stop",
  "tool-calls": "tool-use",
  length: "length",
  "content-filter": "content-filter",
  error: "error",
  interrupted: null,
  other: "unknown",

  // `@ai-sdk/anthropic`: map-anthropic-stop-reason.ts
  "stop:pause_turn": "pause",
  "stop:stop_sequence": neverRuns,
  "other:compaction": "pause",
  "content-filter:refusal": "refusal",
  "length:model_context_window_exceeded": "context-window",
  // `@ai-sdk/cohere`: map-cohere-finish-reason.ts
  "stop:STOP_SEQUENCE": neverRuns,
  // `@ai-sdk/openai`: map-openai-responses-finish-reason.ts. With a call, each reason of an incomplete
  // reply that it does not know is `tool-calls`.
  "tool-calls:steered": "pause",
  "tool-calls:max_messages": "length",
  // `@openrouter/ai-sdk-provider`: with a call, each word that it does not know is `tool-calls`.
  "tool-calls:error": "error",
  // `@ai-sdk/mistral`: map-mistral-finish-reason.ts
  "length:model_length": "context-window",
  "other:error": "error",
  // `@ai-sdk/google`: map-google-generative-ai-finish-reason.ts
  "error:MALFORMED_FUNCTION_CALL": "malformed-tool-call",
  "other:UNEXPECTED_TOOL_CALL": "malformed-tool-call",
  // `@ai-sdk/amazon-bedrock`: map-bedrock-finish-reason.ts
  "other:malformed_tool_use": "malformed-tool-call",
  "other:model_context_window_exceeded": "context-window",
  // Hosts behind `@ai-sdk/openai-compatible` whose words for a finished reply it does not know:
  // Together, and gateways that pass on the words of other protocols.
  "other:eos": "stop",
  "other:end_turn": "stop",
  "other:tool_use": "tool-use",
  "other:tool_call": "tool-use",
  "other:TOOL_CALLS": "tool-use",
};

/** The words of the protocols for a finished reply, as AI SDK's providers pass them on. */
const finishedWords: ReadonlySet<string> = new Set([
  // Chat Completions, and Ollama.
  "stop",
  "tool_calls",
  "function_call",
  // Hosts of Chat Completions.
  "eos",
  "tool_call",
  "TOOL_CALLS",
  // Messages, Converse, and gateways that pass their words on.
  "end_turn",
  "tool_use",
  // Gemini
  "STOP",
  // `@ai-sdk/cohere`: map-cohere-finish-reason.ts
  "COMPLETE",
  "TOOL_CALL",
  // Interactions
  "requires_action",
  // Responses, where a provider gives the status of the reply.
  "completed",
]);

/** Whether the finish reason `stop` or `tool-calls` stands for a word of the provider that is known. */
export const isKnownWord = (unified: Unified, raw: string): boolean =>
  finishedWords.has(raw) || Object.hasOwn(stops, `${unified}:${raw}`);

export const endings: Readonly<Record<Exclude<StopReason, "tool-use">, Unified>> = {
  stop: "other",
  length: "length",
  "context-window": "length",
  pause: "other",
  refusal: "content-filter",
  "content-filter": "content-filter",
  "malformed-tool-call": "error",
  error: "error",
  interrupted: "interrupted",
  aborted: "interrupted",
  unknown: "other",
};
