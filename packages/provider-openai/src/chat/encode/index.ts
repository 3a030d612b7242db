import type { Effort, TurnRequest } from "@fullstop/core";
import type OpenAI from "openai";
import { encodeOutputFormat } from "../../shared/output-schema.ts";
import type { Quirks } from "../quirks.ts";
import { encodeChatMessages } from "./messages.ts";
import { encodeChatTools } from "./tools.ts";

type ChatRequestBody = OpenAI.ChatCompletionCreateParams;
/** Parameters that the request itself sets. */
type ReservedChatParams =
  | "model"
  | "messages"
  | "max_tokens"
  | "max_completion_tokens"
  | "tools"
  | "functions"
  | "function_call"
  | "stream"
  | "n";
/** Parameters of the API, sent with every request. A field of the request takes precedence. */
export type ChatParams = Partial<Omit<ChatRequestBody, ReservedChatParams>>;

/** Where a request goes, and how. */
export interface ChatEncodeOptions {
  readonly model: string;
  readonly stream: boolean;
  readonly quirks: Quirks;
  readonly params?: ChatParams | undefined;
}

/** Encodes a request for Chat Completions. Any valid history can be encoded. */
export function encodeChatRequest(
  request: TurnRequest,
  { model, stream, quirks, params = {} }: ChatEncodeOptions,
): ChatRequestBody {
  const { system, messages, maxTokens, effort, output } = request;
  const { tool_choice: _, parallel_tool_calls: __, stream_options, ...rest } = params;
  const tools = encodeChatTools(request, params, quirks);
  const history = encodeChatMessages(messages, quirks);
  return {
    ...rest,
    model,
    messages:
      system === undefined || system.trim() === ""
        ? history
        : [{ role: "system", content: system }, ...history],
    ...(maxTokens !== undefined && { [quirks.capName ?? "max_tokens"]: maxTokens }),
    ...tools,
    ...(output && {
      response_format: { type: "json_schema" as const, json_schema: encodeOutputFormat(output) },
    }),
    ...(effort !== undefined && (quirks.effort ?? efforts)[effort]),
    ...(stream && { stream }),
    ...(stream &&
      !quirks.noStreamOptions && { stream_options: { ...stream_options, include_usage: true } }),
    ...(stream && tools.tools !== undefined && quirks.toolStream),
  };
}

const efforts: Readonly<Record<Effort, ChatParams>> = {
  none: { reasoning_effort: "none" },
  low: { reasoning_effort: "low" },
  medium: { reasoning_effort: "medium" },
  high: { reasoning_effort: "high" },
};
