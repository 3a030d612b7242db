import type { Effort, Message, TurnRequest } from "@fullstop/core";
import type OpenAI from "openai";
import type { Quirks } from "../quirks.ts";
import { toolName } from "./calls.ts";
import { encodeMessages } from "./messages.ts";

type Params = OpenAI.ChatCompletionCreateParams;
type FixedParams =
  | "model"
  | "messages"
  | "max_tokens"
  | "max_completion_tokens"
  | "tools"
  | "functions"
  | "function_call"
  | "stream"
  | "n";
/** Parameters of the API that go with every request. What a request itself says counts more. */
export type ChatParams = Partial<Omit<Params, FixedParams>>;

/** Whom a request is for. */
export interface Target {
  readonly model: string;
  readonly stream: boolean;
  readonly quirks: Quirks;
  readonly params?: ChatParams | undefined;
}

/** A request in the shape of the API; any valid history encodes. */
export function encode(
  request: TurnRequest,
  { model, stream, quirks, params = {} }: Target,
): Params {
  const { system, messages, maxTokens, effort } = request;
  const { tool_choice: _, parallel_tool_calls: __, stream_options, ...rest } = params;
  const tools = toolParams(request, params, quirks);
  const history = encodeMessages(messages, quirks);
  return {
    ...rest,
    model,
    messages:
      system === undefined || system.trim() === ""
        ? history
        : [{ role: "system", content: system }, ...history],
    ...(maxTokens !== undefined && { [quirks.capName ?? "max_tokens"]: maxTokens }),
    ...tools,
    ...(effort !== undefined && (quirks.effort ?? efforts)[effort]),
    ...(stream
      ? {
          stream,
          ...(quirks.noStreamOptions
            ? {}
            : { stream_options: { ...stream_options, include_usage: true } }),
        }
      : {}),
    ...(stream && tools.tools !== undefined && quirks.toolStream),
  };
}

type ToolParams = Pick<ChatParams, "tool_choice" | "parallel_tool_calls"> & {
  readonly tools?: OpenAI.ChatCompletionTool[];
};

/** Some hosts refuse a history with calls in a request without tools: then the called names are listed, and may not be called. */
function toolParams(
  { tools = [], toolChoice, messages }: TurnRequest,
  preferred: ChatParams,
  quirks: Quirks,
): ToolParams {
  if (tools.length === 0) {
    const names = quirks.toolsNeeded ? calledNames(messages) : [];
    return names.length === 0 ? {} : { tools: names.map(formerTool), tool_choice: "none" };
  }
  const choice =
    toolChoice === undefined ? preferred.tool_choice : chosen(toolChoice, tools, quirks);
  const { parallel_tool_calls: parallel } = preferred;
  return {
    tools: tools.map((tool) => encodeTool(tool, quirks)),
    ...(choice !== undefined && { tool_choice: choice }),
    ...(parallel !== undefined && { parallel_tool_calls: parallel }),
  };
}

type OfferedTool = NonNullable<TurnRequest["tools"]>[number];

function chosen(
  choice: NonNullable<TurnRequest["toolChoice"]>,
  tools: readonly OfferedTool[],
  quirks: Quirks,
): OpenAI.ChatCompletionToolChoiceOption {
  // "any" is not in the SDK's type: a host's word for its "required".
  if (choice === "required") return (quirks.required ?? choice) as "required";
  if (typeof choice === "string") return choice;
  const { name } = choice;
  const isText = quirks.customTools && tools.some((tool) => tool.name === name && isFreeForm(tool));
  return isText ? { type: "custom", custom: { name } } : { type: "function", function: { name } };
}

const isFreeForm = (tool: OfferedTool): boolean =>
  !("provider" in tool) && tool.inputSchema === "text";

function encodeTool(tool: OfferedTool, { customTools }: Quirks): OpenAI.ChatCompletionTool {
  if ("provider" in tool) return tool.definition as OpenAI.ChatCompletionTool;
  const { name, description, inputSchema } = tool;
  if (inputSchema === "text" && customTools)
    return { type: "custom", custom: { name, description } };
  return {
    type: "function",
    function: { name, description, parameters: parametersOf(inputSchema) },
  };
}

const parametersOf = (
  schema: Readonly<Record<string, unknown>> | "text",
): OpenAI.FunctionParameters =>
  schema === "text"
    ? {
        type: "object",
        properties: { text: { type: "string" } },
        required: ["text"],
        additionalProperties: false,
      }
    : { ...schema, type: "object" };

const calledNames = (messages: readonly Message[]): readonly string[] => {
  const blocks = messages.flatMap((message) =>
    message.role === "assistant" ? message.content : [],
  );
  return [
    ...new Set(
      blocks.flatMap((block) => (block.type === "tool-call" ? [toolName(block.name)] : [])),
    ),
  ];
};
const formerTool = (name: string): OpenAI.ChatCompletionTool => ({
  type: "function",
  function: {
    name,
    description: "Called earlier in this conversation; no longer offered.",
    parameters: { type: "object", properties: {} },
  },
});

const efforts: Readonly<Record<Effort, ChatParams>> = {
  none: { reasoning_effort: "none" },
  low: { reasoning_effort: "low" },
  medium: { reasoning_effort: "medium" },
  high: { reasoning_effort: "high" },
};
