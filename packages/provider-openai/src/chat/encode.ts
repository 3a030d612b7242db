import type { TurnRequest } from "@fullstop/core";
import { calledTools, functionSchema, type OfferedTool } from "@fullstop/core/adapter";
import type OpenAI from "openai";
import { encodeOutputFormat } from "../output.ts";
import { encodeToolName } from "../values.ts";
import { encodeChatMessages } from "./messages.ts";
import { efforts, type Quirks } from "./quirks.ts";

type ChatRequestBody = OpenAI.ChatCompletionCreateParams;
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

interface ChatEncodeOptions {
  readonly model: string;
  readonly stream: boolean;
  readonly quirks: Quirks;
  readonly params?: ChatParams | undefined;
}

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
    // Without it, gateways answer with a stream, or with a mixture of both (decolua/9router#3492).
    stream,
    ...(stream &&
      !quirks.noStreamOptions && { stream_options: { ...stream_options, include_usage: true } }),
    ...(stream && tools.tools !== undefined && quirks.toolStream),
  };
}

interface ChatToolParams {
  readonly tools?: OpenAI.ChatCompletionTool[];
  readonly tool_choice?: OpenAI.ChatCompletionToolChoiceOption;
  readonly parallel_tool_calls?: boolean;
}
type PreferredParams = Pick<
  OpenAI.ChatCompletionCreateParams,
  "tool_choice" | "parallel_tool_calls"
>;

/** Some hosts refuse calls without tools: the called ones are listed, but must not be called. */
function encodeChatTools(
  { tools = [], toolChoice, messages }: TurnRequest,
  preferred: PreferredParams,
  quirks: Quirks,
): ChatToolParams {
  if (tools.length === 0) {
    const called = quirks.toolsNeeded ? calledTools(messages, encodeToolName) : [];
    return called.length === 0
      ? {}
      : { tools: called.map((tool) => encodeChatTool(tool, quirks)), tool_choice: "none" };
  }
  const choice =
    toolChoice === undefined
      ? preferred.tool_choice
      : encodeChatToolChoice(toolChoice, tools, quirks);
  const { parallel_tool_calls: parallel } = preferred;
  return {
    tools: tools.map((tool) => encodeChatTool(tool, quirks)),
    ...(choice !== undefined && { tool_choice: choice }),
    ...(parallel !== undefined && { parallel_tool_calls: parallel }),
  };
}

function encodeChatToolChoice(
  choice: NonNullable<TurnRequest["toolChoice"]>,
  tools: readonly OfferedTool[],
  quirks: Quirks,
): OpenAI.ChatCompletionToolChoiceOption {
  // The SDK's type lacks "any", which some hosts expect instead of "required".
  if (choice === "required") return (quirks.required ?? choice) as "required";
  if (typeof choice === "string") return choice;
  const { name } = choice;
  const isCustom =
    quirks.customTools && tools.some((tool) => tool.name === name && isFreeForm(tool));
  return isCustom ? { type: "custom", custom: { name } } : { type: "function", function: { name } };
}

const isFreeForm = (tool: OfferedTool): boolean =>
  !("provider" in tool) && tool.inputSchema === "text";

function encodeChatTool(tool: OfferedTool, { customTools }: Quirks): OpenAI.ChatCompletionTool {
  if ("provider" in tool) return tool.definition as OpenAI.ChatCompletionTool;
  const { name, description, inputSchema } = tool;
  if (inputSchema === "text" && customTools)
    return { type: "custom", custom: { name, description } };
  return {
    type: "function",
    function: {
      name,
      description,
      parameters: functionSchema(inputSchema),
    },
  };
}
